/** The parts of Settings that the palette leads to. An id is that of the heading. */
export const sections: readonly { id: string; title: string; about: string }[] = [
  { id: 'appearance', title: 'Appearance', about: 'theme, light, dark' },
  { id: 'history', title: 'History and validation', about: 'how long invocations are kept' },
  { id: 'protocols', title: 'Payments and protocols', about: 'relaxed payments, nanocents, older agent-to-agent clients' },
  { id: 'tokens', title: 'Portal tokens', about: 'for programs that call the management API' },
  { id: 'keys', title: 'API keys', about: 'of agents and of the admin' },
  { id: 'visitors', title: 'Visitors', about: 'people to try endpoints with' },
  { id: 'about', title: 'About', about: 'version, address, data directory' },
];
