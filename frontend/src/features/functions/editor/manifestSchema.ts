import { ctxMembers, limits } from '../../../api/contract.gen';
import { t } from '../../../i18n/t';

/** Methods of ctx.portal, as a manifest names them. */
const portalMethods = ctxMembers.filter((m) => m.grant === 'portal').map((m) => m.path.replace(/^portal\./, ''));
const mode = { enum: ['none', 'ro', 'rw'] };
const size = (description: string) => ({ type: 'integer', minimum: 1, description });

/** The JSON Schema of a manifest: completion and squiggles in the editor. The platform's own check decides. */
export const manifestSchema = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  type: 'object',
  required: ['runtime'],
  properties: {
    name: { type: 'string', description: t('For display only: a function is named by its folder.') },
    description: { type: 'string' },
    runtime: { enum: ['js-v1'], description: t('The runtime the function needs.') },
    entrypoint: { type: 'string', description: t('The export to call; "default" when absent.') },
    permissions: {
      type: 'object',
      description: t('What the function may use. Nothing is granted that is not listed.'),
      properties: {
        fetch: {
          type: 'array',
          items: { type: 'string', pattern: '^(\\*|\\*\\..+|https?://.+|[a-z0-9.-]+)$' },
          description: t('"*", an origin, an address with a path (and what lies below it), or "*.host".'),
        },
        secrets: { type: 'array', items: { type: 'string' }, uniqueItems: true, description: t('Names it may read; "write" allows writing them.') },
        kv: {
          description: t('Access to the key-value store.'),
          oneOf: [
            mode,
            {
              type: 'object',
              properties: {
                self: mode, visitor: mode, agent_scope: { type: 'boolean' }, app: mode, instance: mode,
                instance_owner: mode, project: mode, project_owner: mode,
              },
            },
          ],
        },
        content: { type: 'object', properties: { read: { type: 'boolean' }, write: { type: 'boolean' } } },
        folders: {
          type: 'array',
          items: {
            type: 'object',
            required: ['alias', 'permissions'],
            properties: {
              alias: { type: 'string', description: t('What it is called in ctx.folders.') },
              path: { type: 'string', description: t('A folder of the project, such as data/inbox; or name a folder of the content store below.') },
              contentId: { type: 'string' },
              permissions: { enum: ['ro', 'rw'] },
            },
          },
        },
        portal: { type: 'array', items: { enum: portalMethods }, uniqueItems: true, description: t('Platform methods it may call.') },
        rawBody: { type: 'boolean', description: t('Gives ctx.request.rawBody.') },
        selfRecursion: { type: 'boolean', description: t('Allows the function to call itself.') },
        visitor_profile: { type: 'array', items: { enum: ['name', 'avatar', 'email'] } },
      },
    },
    limits: {
      type: 'object',
      properties: {
        wallMs: size(t('Milliseconds it may take; {DefaultWallMs} when absent, {MaxWallMs} at most.', { DefaultWallMs: limits.DefaultWallMs, MaxWallMs: limits.MaxWallMs })),
        memoryMb: size(t('Megabytes it may use; {DefaultMemoryMb} when absent, {MaxMemoryMb} at most.', { DefaultMemoryMb: limits.DefaultMemoryMb, MaxMemoryMb: limits.MaxMemoryMb })),
        cpuMs: size(t('Milliseconds of CPU; {DefaultCPUMs} when absent.', { DefaultCPUMs: limits.DefaultCPUMs })),
        ingressBytes: size(t('Bytes it may receive.')),
        egressBytes: size(t('Bytes it may send.')),
        bodyBytesMax: size(t('Bytes of a request body.')),
      },
    },
    parameters: {
      type: 'object',
      description: t('A JSON Schema of the arguments; its type is "object".'),
      required: ['type'],
      properties: { type: { const: 'object' } },
    },
  },
};
