/** The grammar of a function's name, contract.md 1b. */
export const namePattern = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;

export function manifestTemplate(description: string): string {
  const manifest = {
    description,
    runtime: 'js-v1',
    permissions: {},
    parameters: {
      type: 'object',
      properties: { name: { type: 'string', default: 'Ada' } },
    },
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

export const sourceTemplate = `/** @param {Ctx} ctx */
export default async function handler(ctx) {
  const { name = 'world' } = ctx.toolCall?.params ?? {};
  ctx.log.info('called for', name);
  return { hello: name };
}
`;
