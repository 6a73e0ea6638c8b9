export default async ({ kv }, { n }) => { await kv.put('n', n); return kv.get('n') }
export const secret = async ({ secrets }) => (await secrets.get('KEY')).length
