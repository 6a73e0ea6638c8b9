// A function exports one async handler and gets everything from ctx. Save this
// file in any editor: the next call runs what you saved.

const GREETINGS = { en: 'Hello', fr: 'Bonjour', es: 'Hola' };

export default async function handler(ctx) {
  // Arguments were checked against "parameters" in manifest.json before we run,
  // so name is there and lang is one of the three, or absent.
  const { name, lang = 'en' } = ctx.toolCall?.params ?? { name: 'world' };

  // Log lines are kept with the invocation, next to its result.
  ctx.log.info('greeting', { name, lang });

  // What is returned becomes the result. It must fit into JSON.
  return { greeting: `${GREETINGS[lang]}, ${name}!`, lang };
}
