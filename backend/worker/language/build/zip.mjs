// zip gives a zip archive of [name, text] pairs, the same bytes for the same
// content.
import { crc32, deflateRawSync } from 'node:zlib';

const crcOf = crc32 ?? (bytes => {
  let c = ~0;
  for (const b of bytes) {
    c ^= b;
    for (let k = 0; k < 8; k++) c = c & 1 ? (c >>> 1) ^ 0xEDB88320 : c >>> 1;
  }
  return ~c >>> 0;
});

export const zip = files => {
  const parts = [], directory = [];
  let offset = 0;
  for (const [name, text] of files) {
    const raw = Buffer.from(text), packed = deflateRawSync(raw, { level: 9 }), path = Buffer.from(name);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);   // version needed
    common.writeUInt16LE(0x800, 2); // names are UTF-8
    common.writeUInt16LE(8, 4);    // deflate
    common.writeUInt16LE(0, 6);    // time
    common.writeUInt16LE(0x21, 8); // 1980-01-01
    common.writeUInt32LE(crcOf(raw), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(raw.length, 18);
    common.writeUInt16LE(path.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), common, path, packed]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), common, tail, path]));
    parts.push(local);
    offset += local.length;
  }
  const list = Buffer.concat(directory), end = Buffer.alloc(22);
  end.write('PK\x05\x06', 0, 'latin1');
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(list.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, list, end]);
};
