// Stops a Node whose Unicode is older than that of the data that is there.
import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

const file = new URL('../pattern/properties.gz', import.meta.url);
const there = existsSync(file) ? gunzipSync(readFileSync(file)).toString('latin1').split('\n', 1)[0] : '0';
if (parseFloat(process.versions.unicode) < parseFloat(there)) {
  console.error(`this Node knows Unicode ${process.versions.unicode}, the data is of ${there}: take a newer Node`);
  process.exit(1);
}
