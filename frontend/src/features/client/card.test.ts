import { describe, expect, it } from 'vitest';
import { cardProblems, servedProblems } from './card';

const good = {
  name: 'Mia',
  description: 'Prices jobs',
  version: '1.2.0',
  supportedInterfaces: [
    { url: 'http://127.0.0.1:4780/mia/a2a', protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
    { url: 'https://a.example/mia', protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
  ],
  capabilities: { streaming: true, pushNotifications: false, extendedAgentCard: false },
  securitySchemes: { bearer: { httpAuthSecurityScheme: { scheme: 'Bearer', description: 'A token' } } },
  securityRequirements: [{ schemes: { bearer: { list: [] } } }],
  defaultInputModes: ['text/plain', 'image/*'],
  defaultOutputModes: ['text/plain'],
  skills: [{ id: 'quote', name: 'quote', description: 'Prices a job', tags: ['tool'] }],
};
const told = (card: unknown) => cardProblems(card).map((p) => `${p.warning ? 'warning ' : ''}${p.path}: ${p.text}`);
const skill = good.skills[0]!;
const without = (name: string) => Object.fromEntries(Object.entries(good).filter(([n]) => n !== name));
const face = good.supportedInterfaces[0]!;

describe('cardProblems', () => {
  it('finds nothing wrong with a card of 1.0', () => expect(told(good)).toEqual([]));
  it('takes each kind of security scheme', () => {
    const scopes = { read: 'to read' };
    const schemes = {
      key: { apiKeySecurityScheme: { location: 'header', name: 'X-Key' } },
      oauth: { oauth2SecurityScheme: { flows: { authorizationCode: { authorizationUrl: 'https://a/', tokenUrl: 'https://b/', scopes } } } },
      oidc: { openIdConnectSecurityScheme: { openIdConnectUrl: 'https://a/' } },
      tls: { mtlsSecurityScheme: {} },
    };
    expect(told({ ...good, securitySchemes: { ...good.securitySchemes, ...schemes } })).toEqual([]);
  });
  it.each([
    ['no object', [], [': is a list, not an object']],
    ['required members', { ...without('description'), skills: [] }, ['description: is missing', 'skills: is an empty list']],
    ['a skill', { ...good, skills: [{ ...skill, tags: [], description: '' }, { name: 'x' }] }, ['skills[0].description: is empty', 'skills[0].tags: is an empty list', 'skills[1].id: is missing', 'skills[1].description: is missing', 'skills[1].tags: is missing']],
    ['an id twice', { ...good, skills: [skill, { ...skill, name: 'again' }] }, ['skills[1].id: is "quote", as that of an earlier skill']],
    ['an address that is none', { ...good, supportedInterfaces: [{ ...face, url: '/a2a' }] }, ['supportedInterfaces[0].url: should be an address such as https://example.com/']],
    ['a patch version', { ...good, supportedInterfaces: [{ ...face, protocolVersion: '1.0.0' }] }, ['supportedInterfaces[0].protocolVersion: must match ^[0-9]+\\.[0-9]+$']],
    ['a binding in other letters', { ...good, supportedInterfaces: [{ ...face, protocolBinding: 'jsonrpc' }] }, ['supportedInterfaces[0].protocolBinding: must match ^(JSONRPC|GRPC|HTTP\\+JSON|[A-Za-z][A-Za-z0-9+.-]*:.+)$']],
    ['nothing for 1.x', { ...good, supportedInterfaces: [{ ...face, protocolVersion: '0.3' }] }, ['warning supportedInterfaces: has none for version 1.x']],
    ['http elsewhere', { ...good, supportedInterfaces: [{ ...face, url: 'http://a.example/' }] }, ['warning supportedInterfaces[0].url: is not encrypted']],
    ['a password', { ...good, supportedInterfaces: [{ ...face, url: 'https://me:secret@a.example/' }] }, ['supportedInterfaces[0].url: has a name or a password in it']],
    ['a scheme that is not described', { ...good, securitySchemes: {} }, ['securityRequirements[0].schemes.bearer: is not among securitySchemes']],
    ['a scheme of earlier versions', { ...good, securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } }, ['securitySchemes.bearer: has 2 members, not 1 at most', 'warning securitySchemes.bearer.type: does not belong here', 'warning securitySchemes.bearer.scheme: does not belong here']],
    ['what nobody knows', { ...good, mood: 'good' }, ['warning mood: is not known here']],
  ])('says what is wrong with %s', (_, card, want) => expect(told(card)).toEqual(want));
  it('says what to do with a card of 0.3, what breaks clients first', () => {
    expect(cardProblems({ ...without('supportedInterfaces'), url: 'https://a.example/', protocolVersion: '0.3.0' })).toEqual([
      { path: 'supportedInterfaces', text: 'is missing', todo: 'List where the agent answers, the one you prefer first.', warning: false },
      { path: 'url', text: 'does not belong here', todo: 'Since 1.0 each of supportedInterfaces has its url: put it there.', warning: true },
      { path: 'protocolVersion', text: 'does not belong here', todo: 'Since 1.0 each of supportedInterfaces has its protocolVersion: put it there.', warning: true },
    ]);
  });
});

describe('servedProblems', () => {
  it('wants JSON', () => {
    expect(servedProblems('application/json; charset=utf-8')).toEqual([]);
    expect(servedProblems('application/a2a+json')).toEqual([]);
    expect(servedProblems('text/html')).toMatchObject([{ path: 'Content-Type', text: 'is text/html' }]);
    expect(servedProblems('')).toMatchObject([{ text: 'is missing' }]);
  });
});
