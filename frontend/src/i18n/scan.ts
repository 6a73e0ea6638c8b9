import ts from 'typescript';

/**
 * Says which texts of a source file people read. The test beside it holds every
 * file to that: what people read comes out of the catalogue.
 */

/** Words of protocols and programs, which are the same in every language. */
const names = new Set(['curl', 'kv', 'portal', 'goja', 'js', 'ms', 'Benchtop', 'Playwright', 'Bearer', 'Markdown', 'Webhook', 'Monaco', 'null', 'true', 'false', 'https', 'http', 'cron', 'env', 'fetch', 'secrets', 'content', 'folders', 'object', 'array', 'string', 'Mod', 'Ctrl', 'Alt', 'Shift', 'Esc', 'Accept', 'Authorization', 'Stripe', 'Slack', 'Ada', 'bad', 'api', 'undefined']);

/** Texts that stay as they are: what only programmers see, examples of formats, signs that files carry. */
const allowed = [
  /needs an? \w+ above it$/,
  /^The path .* needs a value for/,
  /^(Accept|Content-Type): /,
  /^Bearer /,
  /^>>>>>>> |^<<<<<<< /,
  /^Unreachable$/,
  /^1,000,000,000/,
  /^"?(folders|permissions|secrets|content)"?(: |$)/,
  /^(secrets|content|folders|portal|secret|folder|kv)(: |, | )(any|read|write|\u25cc)/,
  /^\{"type": /,
  /^token:… /,
  /^readonly \u25cc: NotGranted|NotGranted</,
  /^\(?(name|url|event|\.\.\.values)(: |, |\): )/,
  /^: \{/,
];

/** Attributes and properties that are shown, whatever they say. */
const shown = new Set(['label', 'title', 'text', 'message', 'description', 'hint', 'placeholder', 'aria-label', 'aria-description', 'aria-roledescription', 'aria-valuetext', 'alt', 'lead', 'heading', 'empty', 'help', 'nothingFoundMessage', 'nothingFound', 'legend', 'caption', 'tooltip', 'note', 'detail', 'ariaLabel', 'error', 'after', 'before', 'action']);

/** Attributes and properties that are never shown. */
const hidden = /^(className|class|id|key|href|to|type|variant|size|color|role|style|rel|target|method|mode|icon|d|fill|viewBox|xmlns|autoComplete|htmlFor|data-.*|aria-(labelledby|controls|describedby|owns|hidden|live|haspopup|current|sort|orientation|autocomplete|activedescendant)|queryKey|keys|rule|languageId|language|fontFamily|command|where|inputMode|placement|position|transition|order|component|renderRoot|value|defaultValue|event|kind|path|tokens|foreground|base|inherit|format|accept|w|h|p|m|mt|mb|gap|ff|tried)$/;

/** Elements whose text is code. */
const codeElements = new Set(['code', 'kbd', 'pre', 'Code', 'Kbd', 'samp', 'style', 'script']);

/** Functions whose texts are not for people. */
const machine = /^(require|getElementById|querySelector|querySelectorAll|closest|matches|addEventListener|removeEventListener|getAttribute|setAttribute|removeAttribute|createElement|startsWith|endsWith|includes|indexOf|lastIndexOf|split|test|has|getItem|setItem|readStored|writeStored|useStored|expect|URL|RegExp|Map|console|log|debug|DOMException|TypeError|toLocaleString|toLocaleTimeString|toLocaleDateString|registerCommand|executeEdits|trigger|getPropertyValue|defineTheme|NumberFormat|DateTimeFormat|RelativeTimeFormat|tick|css|lazy)$/;

type Literal = ts.StringLiteral | ts.NoSubstitutionTemplateLiteral | ts.TemplateExpression;

function isLiteral(node: ts.Node): node is Literal {
  return ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node) || ts.isTemplateExpression(node);
}

/** The words of a text that belong to a language: not codes, names, paths or placeholders. */
function wordsOf(text: string): string[] {
  return text
    .split(/[\s/|\u25cc]+/)
    .filter((w) => /^[("“‘'[{·–—-]*\p{Lu}?\p{Ll}+(?:[’'-]\p{L}+)*[.,:;!?…)"”’'\]}]*$/u.test(w))
    .map((w) => w.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, ''))
    .filter((w) => w.length > 1 && !names.has(w));
}

/** What a literal says, with a sign for every value in it. */
export function textOf(node: Literal | ts.JsxText): string {
  if (ts.isTemplateExpression(node)) return [node.head.text, ...node.templateSpans.map((s) => s.literal.text)].join(hole);
  return node.text;
}

const hole = '\u25cc';

/** Addresses, keys of the program and lines for a shell, which are nobody's language. */
function isCode(text: string): boolean {
  if (/^\s*(\/\/|#|--|var\(|\d+px|(GET|POST|PUT|PATCH|DELETE) \/|export |import |function |return |headers: |body: |method: |-H |const |benchtop |"[\w]+": )/.test(text)) return true;
  if (/=>|\{\n|^[\w-]+\/[\w-]+;/.test(text)) return true;
  return !/\s/.test(text) && (/^[/.]|\w\/|:\/|\/\u25cc/.test(text) || /^\w+:\u25cc/.test(text));
}

/** The call of t or rich that a text stands in as its message. */
function isMessage(node: ts.Node): boolean {
  const call = node.parent;
  return ts.isCallExpression(call) && call.arguments[0] === node && isTranslation(call);
}

function isTranslation(call: ts.CallExpression): boolean {
  return ts.isIdentifier(call.expression) && (call.expression.text === 't' || call.expression.text === 'rich');
}

/** Whether people read a literal. */
function isShown(node: Literal): boolean {
  if (isMessage(node)) return false;
  const words = wordsOf(textOf(node));
  // `${n} ${n === 1 ? 'call' : 'calls'}` has no words of its own.
  if (words.length === 0 && ts.isTemplateExpression(node) && /\s/.test(textOf(node)) && answersOf(node).some((a) => wordsOf(a).length > 0)) return placeOf(node) === 'shown';
  if (words.length === 0 || isCode(textOf(node))) return false;
  if (allowed.some((a) => a.test(textOf(node)))) return false;
  const place = placeOf(node);
  if (place === 'hidden') return false;
  if (place === 'shown') return true;
  return readsAsProse(textOf(node), words) || besideProse(node);
}

/** The texts that the values of a template choose between. */
function answersOf(node: ts.TemplateExpression): string[] {
  return node.templateSpans.flatMap(({ expression: e }) => (ts.isConditionalExpression(e) ? [e.whenTrue, e.whenFalse].filter(ts.isStringLiteral).map((a) => a.text) : []));
}

/** Whether a word is one of several answers to a question, of which another is prose. */
function besideProse(node: Literal): boolean {
  let top: ts.Node = node;
  while (ts.isParenthesizedExpression(top.parent) || (ts.isConditionalExpression(top.parent) && top.parent.condition !== top)) top = top.parent;
  const answers = (at: ts.Node): ts.Node[] => (ts.isParenthesizedExpression(at) ? answers(at.expression) : ts.isConditionalExpression(at) ? [...answers(at.whenTrue), ...answers(at.whenFalse)] : [at]);
  return answers(top).some((a) => a !== node && isLiteral(a) && !isCode(textOf(a)) && /\s/.test(textOf(a).trim()) && readsAsProse(textOf(a), wordsOf(textOf(a))));
}

/** Whether a text that may be anything looks like one for people. */
function readsAsProse(text: string, words: string[]): boolean {
  const tokens = text.trim().split(/[\s\u25cc]+/);
  if (tokens.length === 1) return /^[A-Z][a-z]{2,}[.…:?!]?$/.test(text.trim());
  return words.length > 1 || /^\s*["“(]?[A-Z][a-z]+\b/.test(text) || (words[0]!.length > 2 && /\s/.test(text));
}

/** Where a literal goes: to people, to the program, or one cannot say. */
function placeOf(node: ts.Node): 'shown' | 'hidden' | 'open' {
  for (let at: ts.Node = node; at.parent; at = at.parent) {
    const p = at.parent;
    if (ts.isJsxAttribute(p)) return named(attributeName(p));
    if (ts.isJsxExpression(p) && (ts.isJsxElement(p.parent) || ts.isJsxFragment(p.parent))) {
      return ts.isJsxElement(p.parent) && codeElements.has(tagOf(p.parent)) ? 'hidden' : 'shown';
    }
    if (ts.isJsxExpression(p)) continue;
    if (ts.isParenthesizedExpression(p) || ts.isAsExpression(p) || ts.isNonNullExpression(p) || ts.isSatisfiesExpression(p)) continue;
    if (ts.isConditionalExpression(p)) {
      if (p.condition === at) return 'hidden';
      continue;
    }
    if (ts.isBinaryExpression(p)) {
      const op = p.operatorToken.kind;
      if (op === ts.SyntaxKind.AmpersandAmpersandToken ? p.right === at : [ts.SyntaxKind.BarBarToken, ts.SyntaxKind.QuestionQuestionToken, ts.SyntaxKind.PlusToken].includes(op)) continue;
      // What is shown may also be compared with: name === 'Idempotency key'.
      if ([ts.SyntaxKind.EqualsEqualsEqualsToken, ts.SyntaxKind.ExclamationEqualsEqualsToken].includes(op)) return at === node && isLiteral(node) && /\s/.test(textOf(node)) ? 'open' : 'hidden';
      return op === ts.SyntaxKind.EqualsToken && p.right === at ? 'open' : 'hidden';
    }
    if (ts.isTemplateSpan(p)) {
      if (at !== node && !isLiteral(at)) return at === p.expression && isShown(p.parent) ? 'shown' : 'hidden';
      return isShown(p.parent) ? 'shown' : placeOf(p.parent) === 'hidden' ? 'hidden' : 'open';
    }
    if (ts.isPropertyAssignment(p)) return p.name === at ? 'hidden' : named(p.name.getText().replace(/['"]/g, ''));
    if (ts.isCallExpression(p) || ts.isNewExpression(p)) {
      if (ts.isCallExpression(p) && isTranslation(p)) return 'hidden';
      const callee = p.expression;
      const last = ts.isPropertyAccessExpression(callee) ? callee.name.text : callee.getText();
      return machine.test(last) || /^links\./.test(callee.getText()) || /^console\./.test(callee.getText()) ? 'hidden' : 'open';
    }
    if (ts.isLiteralTypeNode(p) || ts.isImportDeclaration(p) || ts.isExportDeclaration(p) || ts.isElementAccessExpression(p) || ts.isCaseClause(p) || ts.isEnumMember(p) || ts.isExternalModuleReference(p) || ts.isTaggedTemplateExpression(p) || ts.isThrowStatement(p)) return 'hidden';
    return 'open';
  }
  return 'open';
}

function named(name: string): 'shown' | 'hidden' | 'open' {
  if (shown.has(name)) return 'shown';
  return hidden.test(name) ? 'hidden' : 'open';
}

function attributeName(node: ts.JsxAttribute): string {
  return node.name.getText();
}

function tagOf(node: ts.JsxElement | ts.JsxSelfClosingElement): string {
  return (ts.isJsxElement(node) ? node.openingElement.tagName : node.tagName).getText();
}

/** Whether people read a text that stands between elements. */
function isShownText(node: ts.JsxText): boolean {
  const parent = node.parent;
  if (ts.isJsxElement(parent) && codeElements.has(tagOf(parent))) return false;
  return wordsOf(node.text).length > 0;
}

/** All texts of a file that people read and that do not come out of the catalogue. */
export function untranslated(file: ts.SourceFile): { line: number; text: string }[] {
  const found: { line: number; text: string }[] = [];
  const visit = (node: ts.Node): void => {
    if ((isLiteral(node) && isShown(node)) || (ts.isJsxText(node) && isShownText(node))) {
      found.push({ line: file.getLineAndCharacterOfPosition(node.getStart()).line + 1, text: textOf(node).trim() });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** A call of t or rich: its message where that is written out, and the slots that its arguments fill where they can be read. */
export interface Call {
  line: number;
  message: string | undefined;
  given: string[] | undefined;
}

export function messagesOf(file: ts.SourceFile): Call[] {
  const found: Call[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && isTranslation(node)) {
      const [message, ...rest] = node.arguments;
      const elements = rest.find(ts.isArrayLiteralExpression);
      const values = rest.find(ts.isObjectLiteralExpression);
      const readable = rest.every((a) => a === elements || a === values);
      found.push({
        line: file.getLineAndCharacterOfPosition(node.getStart()).line + 1,
        message: message && ts.isStringLiteral(message) ? message.text : undefined,
        given: readable ? [...(elements?.elements.map((_, i) => `#${i + 1}`) ?? []), ...(values?.properties.map((p) => p.name?.getText() ?? '') ?? [])] : undefined,
      });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}
