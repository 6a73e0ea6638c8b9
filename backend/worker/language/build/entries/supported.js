let lists;
export const supportedValuesOf = key => {
  lists ??= $op.intlData('supported');
  key = `${key}`;
  if (key === 'timeZone') return $op.intlData('zones');
  if (!Object.hasOwn(lists, key)) throw new RangeError(`Invalid key: ${key}`);
  return [...lists[key]];
};
