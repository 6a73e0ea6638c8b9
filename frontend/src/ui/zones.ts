/** Browsers list some time zones by names of long ago, which nobody looks for. */
const renamed: Readonly<Record<string, string>> = {
  'Africa/Asmera': 'Africa/Asmara',
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Godthab': 'America/Nuuk',
  'America/Indianapolis': 'America/Indiana/Indianapolis',
  'America/Louisville': 'America/Kentucky/Louisville',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'Europe/Kiev': 'Europe/Kyiv',
  'Pacific/Ponape': 'Pacific/Pohnpei',
  'Pacific/Truk': 'Pacific/Chuuk',
};

const named = (zone: string) => renamed[zone] ?? zone;

/** The time zone of whoever looks. */
export const here = (): string => named(Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC');

/** All time zones by name: where one is, and UTC, come first. */
export function zones(): string[] {
  const all = Intl.supportedValuesOf('timeZone').map(named);
  return [...new Set([here(), 'UTC', ...all.sort()])];
}
