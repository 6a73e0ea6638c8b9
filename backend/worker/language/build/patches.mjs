// What FormatJS does differently here: each text must be there exactly once.

// classOf spells a class of properties out: the prelude is not translated.
const classOf = expression => {
  const re = new RegExp(`^${expression}$`, 'u'), out = [];
  for (let c = 0, start = -1; c <= 0x110000; c++) {
    const inside = c < 0x110000 && re.test(String.fromCodePoint(c));
    if (inside && start < 0) start = c;
    if (!inside && start >= 0) {
      out.push(`\\u{${start.toString(16)}}-\\u{${(c - 1).toString(16)}}`);
      start = -1;
    }
  }
  return `[${out.join('')}]`;
};

export const patches = [
  // Offsets of time zones come from Go's table instead of 1.3 MB of text.
  { in: 'intl-datetimeformat',
    find: `	const zoneData = tzData[timeZone];
	if (!zoneData) return [0, false];
	let i = 0;
	let offset = 0;
	let dst = false;
	for (; i <= zoneData.length; i++) if (i === zoneData.length || zoneData[i][0] * 1e3 > t) {
		[, , offset, dst] = zoneData[i - 1];
		break;
	}
	return [offset * 1e3, dst];`,
    put: `	const [offset, dst] = $op.zoneOffset(timeZone, t);
	return [offset, dst];` },
  { in: 'intl-datetimeformat',
    find: `	const uppercasedZones = zoneNames.reduce((all, z) => {
		all[z.toUpperCase()] = z;
		return all;
	}, {});
	const ianaTimeZone = uppercaseLinks[uppercasedTz] || uppercasedZones[uppercasedTz];`,
    put: `	const ianaTimeZone = uppercaseLinks[uppercasedTz] || $op.zoneName(tz);` },
  { in: 'intl-datetimeformat',
    find: `	const zoneNames = /* @__PURE__ */ new Set();
	const linkNames = /* @__PURE__ */ new Set();
	zoneNamesFromData.map((z) => z.toUpperCase()).forEach((z) => zoneNames.add(z));
	Object.keys(uppercaseLinks).forEach((linkName) => {
		linkNames.add(linkName.toUpperCase());
		zoneNames.add(uppercaseLinks[linkName].toUpperCase());
	});
	if (zoneNames.has(uppercasedTz) || linkNames.has(uppercasedTz)) return true;
	return false;`,
    put: `	return uppercaseLinks[uppercasedTz] !== undefined || $op.zoneName(tz) !== undefined;` },
  // A list of locales must not bring Intl.Locale into being.
  { in: 'intl-getcanonicallocales',
    find: `const originalLocaleToString = typeof Intl !== "undefined" ? Intl.Locale?.prototype.toString : void 0;`,
    put: `const originalLocaleToString = undefined;` },
  { in: 'intl-getcanonicallocales',
    find: `	const currentLocaleToString = typeof Intl !== "undefined" ? Intl.Locale?.prototype.toString : void 0;`,
    put: `	const currentLocaleToString = $made.Locale?.prototype.toString;` },
  // All formats of a language were read to choose one: Go chooses, from a table
  // that intl.mjs has written, and one is read.
  { in: 'intl-datetimeformat',
    find: `	let bestScore = -Infinity;
	let bestFormat = formats[0];
	invariant(Array.isArray(formats), "formats should be a list of things");
	for (const format of formats) {
		const score = bestFitFormatMatcherScore(options, format);
		if (score > bestScore) {
			bestScore = score;
			bestFormat = format;
		}
	}`,
    put: `	const bestFormat = formats(options);` },
  { in: 'intl-datetimeformat',
    find: `		if (formatMatcher === "basic") bestFormat = BasicFormatMatcher(opt, formats);`,
    put: `		if (false) {}` },
  { in: 'intl-datetimeformat',
    find: `			selected = !conflicting ? bestFormat : formatMatcher === "basic" ? BasicFormatMatcher(selectedOptions, formats) : BestFitFormatMatcher(selectedOptions, formats);`,
    put: `			selected = !conflicting ? bestFormat : BestFitFormatMatcher(selectedOptions, formats);` },
  { in: 'intl-datetimeformat',
    find: `			selected = formatMatcher === "basic" ? BasicFormatMatcher(selectedOptions, formats) : BestFitFormatMatcher(selectedOptions, formats);`,
    put: `			selected = BestFitFormatMatcher(selectedOptions, formats);` },
  { in: 'intl-datetimeformat',
    find: `					return parsed ??= Object.keys(formats[calendar]).map((skeleton) => parseDateTimeSkeleton(skeleton, formats[calendar][skeleton], calendarIntervals[skeleton] || findIntervalFormat(skeleton, calendarIntervals), calendarIntervals.intervalFormatFallback));`,
    put: `					const read = Object.create(null);
					return parsed ??= (options) => {
						const [skeleton, pattern, range, range12] = $op.bestFormat(locale, [...DATE_TIME_PROPS.map((prop) => options[prop] === void 0 ? "" : String(options[prop])), options.hour12 ? "1" : ""]);
						return read[skeleton] ??= Object.assign(parseDateTimeSkeleton(skeleton, pattern), { rangePatterns: range, rangePatterns12: range12 });
					};` },
  { in: 'intl-datetimeformat',
    find: `	const parseStyle = (pattern) => parseDateTimeSkeleton(pattern, pattern, findIntervalFormat(pattern, intervalFormats), intervalFormats.intervalFormatFallback);
	return {`,
    put: `	if (intervalFormats.styles) {
		const lazily = (styles) => {
			const out = {};
			for (const style of Object.keys(styles)) {
				let read;
				const [pattern, range, range12] = styles[style];
				Object.defineProperty(out, style, { get: () => read ??= Object.assign(parseDateTimeSkeleton(pattern, pattern), { rangePatterns: range, rangePatterns12: range12 }) });
			}
			return out;
		};
		return { dateFormat: lazily(dateFormat), timeFormat: lazily(timeFormat), dateTimeFormat };
	}
	const parseStyle = (pattern) => parseDateTimeSkeleton(pattern, pattern, findIntervalFormat(pattern, intervalFormats), intervalFormats.intervalFormatFallback);
	return {` },
  // Best fit is left to the implementation; V8 looks up, too, and the distances
  // of all languages are much to carry.
  { in: 'intl-localematcher',
    find: `	else r = BestFitMatcher(Array.from(availableLocales), requestedLocales, getDefaultLocale);`,
    put: `	else r = LookupMatcher(Array.from(availableLocales), requestedLocales, getDefaultLocale);` },
  // Tables of thousands of languages are asked, not made.
  { in: 'intl-getcanonicallocales',
    find: /^const likelySubtags = \{[^]*?\n\};/m,
    put: `const likelySubtags = $lazy([], (tag) => $op.intlLookup("likely", tag));` },
  { in: 'intl-getcanonicallocales', find: /^const languageAlias = \{[^]*?\n\};/m, put: `` },
  { in: 'intl-getcanonicallocales',
    find: /^const languageAliasRules = [^]*?\n\}, Object\.create\(null\)\);/m,
    put: `const languageAliasRules = $lazy([], (lang) => $op.intlLookup("aliases", lang));` },
  // Months stand alone where the pattern says so (LLLL), not only where they are
  // the only part.
  { in: 'intl-datetimeformat',
    find: `	const isMonthStandalone = hasMonth && !hasOtherDateFields;`,
    put: `	const isMonthStandalone = hasMonth && (!hasOtherDateFields || /LLL/.test(internalSlots.format?.rawPattern ?? ""));` },
  { in: 'intl-segmenter',
    find: `new RegExp("[\\\\p{L}\\\\p{N}\\\\p{M}]", "u")`,
    put: `new RegExp(${JSON.stringify(classOf('[\\p{L}\\p{N}\\p{M}]'))}, "u")` },
];
