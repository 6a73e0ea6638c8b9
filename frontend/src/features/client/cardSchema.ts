import { t } from '../../i18n/t';
import type { Schema } from '../../ui/schema/schema';

// The card of the agent-to-agent protocol 1.0 as a JSON Schema. The description of
// a member says what to do about it.

const text = (description: string, more: Schema = {}): Schema => ({ type: 'string', minLength: 1, description, ...more });
const option = (description: string, more: Schema = {}): Schema => ({ type: 'string', description, ...more });
const flag = (description: string): Schema => ({ type: 'boolean', description });
const address = (description: string): Schema => text(description, { format: 'uri' });
const gone = (description: string): Schema => ({ not: {}, description });
const list = (items: Schema, description: string, more: Schema = {}): Schema => ({ type: 'array', items, description, ...more });
const needed = { minItems: 1 };

/** An object with these members and no others; those named are required. */
const object = (required: string[], properties: Record<string, Schema>, description: string): Schema => ({ type: 'object', required, properties, additionalProperties: false, description });

const mediaType = (what: string): Schema => text(t('{what} are media types, such as text/plain.', { what }), { pattern: '^[\\w.+-]+/[\\w.+*-]+' });
const scopes: Schema = { type: 'object', additionalProperties: { type: 'string' }, description: t('Scopes are an object: name and meaning of each.') };
const requirements = list({ $ref: '#/$defs/requirement' }, t('A requirement names schemes of securitySchemes.'));

/** A flow of OAuth with the addresses that it needs. */
const flow = (needs: string[]): Schema =>
  object([...needs, 'scopes'], { ...Object.fromEntries(['authorizationUrl', 'deviceAuthorizationUrl', 'tokenUrl', 'refreshUrl'].map((n) => [n, address(t('An address with https.'))])), scopes, pkceRequired: flag('true or false.') }, t('A flow has {needs} and scopes.', { needs: needs.join(', ') }));

export const cardSchema: Schema = {
  ...object(
    ['name', 'description', 'supportedInterfaces', 'version', 'capabilities', 'defaultInputModes', 'defaultOutputModes', 'skills'],
    {
      name: text(t('Give the agent a name that people read.')),
      description: text(t('Say in a sentence what the agent does; clients choose by it.')),
      supportedInterfaces: list({ $ref: '#/$defs/interface' }, t('List where the agent answers, the one you prefer first.'), needed),
      version: text(t("The agent's own version, such as 1.0.0.")),
      capabilities: { $ref: '#/$defs/capabilities' },
      defaultInputModes: list(mediaType(t('Input modes')), t('List the media types that the agent takes, such as text/plain.'), needed),
      defaultOutputModes: list(mediaType(t('Output modes')), t('List the media types that the agent gives, such as text/plain.'), needed),
      skills: list({ $ref: '#/$defs/skill' }, t('List at least one thing that the agent can do.'), needed),
      provider: object(['organization', 'url'], { organization: text(t('Name who runs the agent.')), url: address(t('An address of who runs the agent.')) }, t('A provider has an organization and a url.')),
      documentationUrl: address(t('An address where more is written.')),
      iconUrl: address(t('An address of a picture.')),
      securitySchemes: { type: 'object', additionalProperties: { $ref: '#/$defs/scheme' }, description: t('An object: a name of yours, and how that scheme works.') },
      securityRequirements: requirements,
      signatures: list(object(['protected', 'signature'], { protected: text(t('The protected header in base64url.')), signature: text(t('The signature in base64url.')), header: { type: 'object', description: t('An object.') } }, t('A signature is a JWS in parts.')), t('A list of signatures.')),
      url: gone(t('Since 1.0 each of supportedInterfaces has its url: put it there.')),
      protocolVersion: gone(t('Since 1.0 each of supportedInterfaces has its protocolVersion: put it there.')),
      preferredTransport: gone(t('Since 1.0 the first of supportedInterfaces is the preferred one.')),
      additionalInterfaces: gone(t('Since 1.0 all of them are in supportedInterfaces.')),
      security: gone(t('Since 1.0 it is called securityRequirements, and looks like [{"schemes": {"bearer": {"list": []}}}].')),
      authentication: gone(t('Describe it under securitySchemes.')),
      supportsAuthenticatedExtendedCard: gone(t('Since 1.0 it is capabilities.extendedAgentCard.')),
    },
    t('A card is one JSON object.'),
  ),
  $defs: {
    interface: object(
      ['url', 'protocolBinding', 'protocolVersion'],
      {
        url: address(t('Write the whole address, with http:// or https://.')),
        protocolBinding: text(t('JSONRPC, GRPC, HTTP+JSON, or an address that names a binding of your own.'), { pattern: '^(JSONRPC|GRPC|HTTP\\+JSON|[A-Za-z][A-Za-z0-9+.-]*:.+)$' }),
        protocolVersion: text(t('Write major and minor alone, such as 1.0.'), { pattern: '^[0-9]+\\.[0-9]+$' }),
        tenant: option(t('A text that clients send along.')),
        transport: gone(t('Since 1.0 it is called protocolBinding.')),
      },
      t('An interface has a url, a protocolBinding and a protocolVersion.'),
    ),
    capabilities: object(
      [],
      {
        streaming: flag(t('true when SendStreamingMessage works.')),
        pushNotifications: flag(t('true when the agent calls back.')),
        extendedAgentCard: flag(t('true when callers who signed in get a longer card.')),
        extensions: list(object(['uri'], { uri: text(t('The address that names the extension.')), description: option(t('A text.')), required: flag('true or false.'), params: { type: 'object', description: t('An object.') } }, t('An extension has a uri.')), t('A list of extensions.')),
        stateTransitionHistory: gone(t('1.0 has no such capability: take it out.')),
      },
      t('Say what the agent can do beyond answering; {} is enough.'),
    ),
    skill: object(
      ['id', 'name', 'description', 'tags'],
      {
        id: text(t('Give it an id that no other skill has.')),
        name: text(t('Give it a name that people read.')),
        description: text(t('Say what it does. For a tool, write the description of its entry in AGENT.md.')),
        tags: list(text(t('A tag is a word.')), t('Give it a tag or more.'), needed),
        examples: list({ type: 'string', description: t('An example is a text.') }, t('A list of texts.')),
        inputModes: list(mediaType(t('Input modes')), t('A list of media types.')),
        outputModes: list(mediaType(t('Output modes')), t('A list of media types.')),
        securityRequirements: requirements,
        inputSchema: gone(t('1.0 has no place for it: take it out.')),
      },
      t('A skill has an id, a name, a description and tags.'),
    ),
    requirement: object(['schemes'], { schemes: { type: 'object', description: t('An object: name of the scheme, and {"list": [scopes]}.'), additionalProperties: object([], { list: list({ type: 'string', description: t('A scope is a text.') }, t('A list of scopes, [] for none.')) }, t('Write {"list": []}.')) } }, t('Write {"schemes": {"bearer": {"list": []}}}.')),
    scheme: {
      ...object(
        [],
        {
          apiKeySecurityScheme: object(['location', 'name'], { description: option(t('A text.')), location: { enum: ['query', 'header', 'cookie'], description: t('Where the key is sent.') }, name: text(t('The name of the header, parameter or cookie.')) }, t('A key has a location and a name.')),
          httpAuthSecurityScheme: object(['scheme'], { description: option(t('A text.')), scheme: text(t('Such as Bearer.')), bearerFormat: option(t('Such as JWT.')) }, t('It has a scheme, such as Bearer.')),
          oauth2SecurityScheme: object(
            ['flows'],
            {
              description: option(t('A text.')),
              flows: {
                ...object([], { authorizationCode: flow(['authorizationUrl', 'tokenUrl']), clientCredentials: flow(['tokenUrl']), deviceCode: flow(['deviceAuthorizationUrl', 'tokenUrl']), implicit: gone(t('It is deprecated: use authorizationCode with PKCE.')), password: gone(t('It is deprecated: use authorizationCode or deviceCode.')) }, t('Exactly one flow.')),
                minProperties: 1,
                maxProperties: 1,
              },
              oauth2MetadataUrl: address(t('An address with https.')),
            },
            t('It has flows.'),
          ),
          openIdConnectSecurityScheme: object(['openIdConnectUrl'], { description: option(t('A text.')), openIdConnectUrl: address(t('The address of the discovery document.')) }, t('It has an openIdConnectUrl.')),
          mtlsSecurityScheme: object([], { description: option(t('A text.')) }, t('It has nothing but a description.')),
          type: gone(t('Since 1.0 the name of the member says it: {"httpAuthSecurityScheme": {"scheme": "Bearer"}}.')),
          scheme: gone(t('Put it inside httpAuthSecurityScheme.')),
        },
        t('Write one of apiKeySecurityScheme, httpAuthSecurityScheme, oauth2SecurityScheme, openIdConnectSecurityScheme, mtlsSecurityScheme.'),
      ),
      minProperties: 1,
      maxProperties: 1,
    },
  },
};
