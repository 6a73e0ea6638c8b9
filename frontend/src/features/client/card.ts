import { t } from '../../i18n/t';
import { isObject, type Schema } from '../../ui/schema/schema';
import { misfitsOf } from '../../ui/schema/validate';
import { cardSchema } from './cardSchema';

/** Something that is wrong with a card, where, and what to do. */
export interface CardProblem {
  path: string;
  text: string;
  todo?: string;
  /** Clients pass it over, or it matters to some of them only. */
  warning: boolean;
}

const str = (v: unknown): string => (typeof v === 'string' ? v : '');
const objects = (v: unknown): Schema[] => (Array.isArray(v) ? v.filter(isObject) : []);

/** All that is wrong with a card of the agent-to-agent protocol 1.0, what breaks clients first. */
export function cardProblems(card: unknown): CardProblem[] {
  const out: CardProblem[] = misfitsOf(cardSchema, card).map((m) => ({ path: m.path, text: m.text, ...(m.hint ? { todo: m.hint } : {}), warning: m.extra === true }));
  if (isObject(card)) out.push(...interfaces(card), ...twice(card), ...undeclared(card));
  return out.toSorted((a, b) => Number(a.warning) - Number(b.warning));
}

/** What comes with the card over HTTP. */
export function servedProblems(contentType: string): CardProblem[] {
  if (/^application\/(a2a\+)?json\b/i.test(contentType)) return [];
  return [{ path: 'Content-Type', text: contentType ? t('is {contentType}', { contentType }) : t('is missing'), todo: t('Serve the card as application/json.'), warning: true }];
}

const loopback = /^(localhost|127\.0\.0\.1|\[::1\]|.*\.localhost)$/;

function interfaces(card: Schema): CardProblem[] {
  const out: CardProblem[] = [];
  const all = objects(card.supportedInterfaces);
  if (all.length && !all.some((i) => /^1\./.test(str(i.protocolVersion)))) {
    out.push({ path: 'supportedInterfaces', text: t('has none for version 1.x'), todo: t('Add one, or clients of 1.0 have nowhere to go.'), warning: true });
  }
  all.forEach((i, n) => {
    const at = URL.canParse(str(i.url)) ? new URL(str(i.url)) : undefined;
    if (at?.protocol === 'http:' && !loopback.test(at.hostname)) {
      out.push({ path: `supportedInterfaces[${n}].url`, text: t('is not encrypted'), todo: t('Use https for everything that is not on this machine.'), warning: true });
    }
    if (at && (at.username || at.password)) {
      out.push({ path: `supportedInterfaces[${n}].url`, text: t('has a name or a password in it'), todo: t('Cards are public: take it out.'), warning: false });
    }
  });
  return out;
}

/** Skills with the id of another one. */
function twice(card: Schema): CardProblem[] {
  const seen = new Set<string>();
  return objects(card.skills).flatMap((s, n) => {
    const id = str(s.id);
    const before = seen.has(id);
    seen.add(id);
    if (!id || !before) return [];
    return [{ path: `skills[${n}].id`, text: t('is {id}, as that of an earlier skill', { id: JSON.stringify(id) }), todo: t('Give each skill an id of its own.'), warning: false }];
  });
}

/** Requirements that name a scheme which is not described. */
function undeclared(card: Schema): CardProblem[] {
  const known = isObject(card.securitySchemes) ? Object.keys(card.securitySchemes) : [];
  const of = (list: unknown, path: string): CardProblem[] =>
    objects(list).flatMap((r, n) =>
      Object.keys(isObject(r.schemes) ? r.schemes : {})
        .filter((name) => !known.includes(name))
        .map((name) => ({ path: `${path}[${n}].schemes.${name}`, text: t('is not among securitySchemes'), todo: t('Describe {name} under securitySchemes, or name one that is there.', { name }), warning: false })),
    );
  return [...of(card.securityRequirements, 'securityRequirements'), ...objects(card.skills).flatMap((s, n) => of(s.securityRequirements, `skills[${n}].securityRequirements`))];
}
