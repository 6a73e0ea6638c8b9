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

const mediaType = (what: string): Schema => text(`${what} are media types, such as text/plain.`, { pattern: '^[\\w.+-]+/[\\w.+*-]+' });
const scopes: Schema = { type: 'object', additionalProperties: { type: 'string' }, description: 'Scopes are an object: name and meaning of each.' };
const requirements = list({ $ref: '#/$defs/requirement' }, 'A requirement names schemes of securitySchemes.');

/** A flow of OAuth with the addresses that it needs. */
const flow = (needs: string[]): Schema =>
  object([...needs, 'scopes'], { ...Object.fromEntries(['authorizationUrl', 'deviceAuthorizationUrl', 'tokenUrl', 'refreshUrl'].map((n) => [n, address('An address with https.')])), scopes, pkceRequired: flag('true or false.') }, `A flow has ${needs.join(', ')} and scopes.`);

export const cardSchema: Schema = {
  ...object(
    ['name', 'description', 'supportedInterfaces', 'version', 'capabilities', 'defaultInputModes', 'defaultOutputModes', 'skills'],
    {
      name: text('Give the agent a name that people read.'),
      description: text('Say in a sentence what the agent does; clients choose by it.'),
      supportedInterfaces: list({ $ref: '#/$defs/interface' }, 'List where the agent answers, the one you prefer first.', needed),
      version: text("The agent's own version, such as 1.0.0."),
      capabilities: { $ref: '#/$defs/capabilities' },
      defaultInputModes: list(mediaType('Input modes'), 'List the media types that the agent takes, such as text/plain.', needed),
      defaultOutputModes: list(mediaType('Output modes'), 'List the media types that the agent gives, such as text/plain.', needed),
      skills: list({ $ref: '#/$defs/skill' }, 'List at least one thing that the agent can do.', needed),
      provider: object(['organization', 'url'], { organization: text('Name who runs the agent.'), url: address('An address of who runs the agent.') }, 'A provider has an organization and a url.'),
      documentationUrl: address('An address where more is written.'),
      iconUrl: address('An address of a picture.'),
      securitySchemes: { type: 'object', additionalProperties: { $ref: '#/$defs/scheme' }, description: 'An object: a name of yours, and how that scheme works.' },
      securityRequirements: requirements,
      signatures: list(object(['protected', 'signature'], { protected: text('The protected header in base64url.'), signature: text('The signature in base64url.'), header: { type: 'object', description: 'An object.' } }, 'A signature is a JWS in parts.'), 'A list of signatures.'),
      url: gone('Since 1.0 each of supportedInterfaces has its url: put it there.'),
      protocolVersion: gone('Since 1.0 each of supportedInterfaces has its protocolVersion: put it there.'),
      preferredTransport: gone('Since 1.0 the first of supportedInterfaces is the preferred one.'),
      additionalInterfaces: gone('Since 1.0 all of them are in supportedInterfaces.'),
      security: gone('Since 1.0 it is called securityRequirements, and looks like [{"schemes": {"bearer": {"list": []}}}].'),
      authentication: gone('Describe it under securitySchemes.'),
      supportsAuthenticatedExtendedCard: gone('Since 1.0 it is capabilities.extendedAgentCard.'),
    },
    'A card is one JSON object.',
  ),
  $defs: {
    interface: object(
      ['url', 'protocolBinding', 'protocolVersion'],
      {
        url: address('Write the whole address, with http:// or https://.'),
        protocolBinding: text('JSONRPC, GRPC, HTTP+JSON, or an address that names a binding of your own.', { pattern: '^(JSONRPC|GRPC|HTTP\\+JSON|[A-Za-z][A-Za-z0-9+.-]*:.+)$' }),
        protocolVersion: text('Write major and minor alone, such as 1.0.', { pattern: '^[0-9]+\\.[0-9]+$' }),
        tenant: option('A text that clients send along.'),
        transport: gone('Since 1.0 it is called protocolBinding.'),
      },
      'An interface has a url, a protocolBinding and a protocolVersion.',
    ),
    capabilities: object(
      [],
      {
        streaming: flag('true when SendStreamingMessage works.'),
        pushNotifications: flag('true when the agent calls back.'),
        extendedAgentCard: flag('true when callers who signed in get a longer card.'),
        extensions: list(object(['uri'], { uri: text('The address that names the extension.'), description: option('A text.'), required: flag('true or false.'), params: { type: 'object', description: 'An object.' } }, 'An extension has a uri.'), 'A list of extensions.'),
        stateTransitionHistory: gone('1.0 has no such capability: take it out.'),
      },
      'Say what the agent can do beyond answering; {} is enough.',
    ),
    skill: object(
      ['id', 'name', 'description', 'tags'],
      {
        id: text('Give it an id that no other skill has.'),
        name: text('Give it a name that people read.'),
        description: text('Say what it does. For a tool, write the description of its entry in AGENT.md.'),
        tags: list(text('A tag is a word.'), 'Give it a tag or more.', needed),
        examples: list({ type: 'string', description: 'An example is a text.' }, 'A list of texts.'),
        inputModes: list(mediaType('Input modes'), 'A list of media types.'),
        outputModes: list(mediaType('Output modes'), 'A list of media types.'),
        securityRequirements: requirements,
        inputSchema: gone('1.0 has no place for it: take it out.'),
      },
      'A skill has an id, a name, a description and tags.',
    ),
    requirement: object(['schemes'], { schemes: { type: 'object', description: 'An object: name of the scheme, and {"list": [scopes]}.', additionalProperties: object([], { list: list({ type: 'string', description: 'A scope is a text.' }, 'A list of scopes, [] for none.') }, 'Write {"list": []}.') } }, 'Write {"schemes": {"bearer": {"list": []}}}.'),
    scheme: {
      ...object(
        [],
        {
          apiKeySecurityScheme: object(['location', 'name'], { description: option('A text.'), location: { enum: ['query', 'header', 'cookie'], description: 'Where the key is sent.' }, name: text('The name of the header, parameter or cookie.') }, 'A key has a location and a name.'),
          httpAuthSecurityScheme: object(['scheme'], { description: option('A text.'), scheme: text('Such as Bearer.'), bearerFormat: option('Such as JWT.') }, 'It has a scheme, such as Bearer.'),
          oauth2SecurityScheme: object(
            ['flows'],
            {
              description: option('A text.'),
              flows: {
                ...object([], { authorizationCode: flow(['authorizationUrl', 'tokenUrl']), clientCredentials: flow(['tokenUrl']), deviceCode: flow(['deviceAuthorizationUrl', 'tokenUrl']), implicit: gone('It is deprecated: use authorizationCode with PKCE.'), password: gone('It is deprecated: use authorizationCode or deviceCode.') }, 'Exactly one flow.'),
                minProperties: 1,
                maxProperties: 1,
              },
              oauth2MetadataUrl: address('An address with https.'),
            },
            'It has flows.',
          ),
          openIdConnectSecurityScheme: object(['openIdConnectUrl'], { description: option('A text.'), openIdConnectUrl: address('The address of the discovery document.') }, 'It has an openIdConnectUrl.'),
          mtlsSecurityScheme: object([], { description: option('A text.') }, 'It has nothing but a description.'),
          type: gone('Since 1.0 the name of the member says it: {"httpAuthSecurityScheme": {"scheme": "Bearer"}}.'),
          scheme: gone('Put it inside httpAuthSecurityScheme.'),
        },
        'Write one of apiKeySecurityScheme, httpAuthSecurityScheme, oauth2SecurityScheme, openIdConnectSecurityScheme, mtlsSecurityScheme.',
      ),
      minProperties: 1,
      maxProperties: 1,
    },
  },
};
