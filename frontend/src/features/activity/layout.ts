/**
 * The heights of a list of rows of one height, of which a few are open. Only
 * those few are looked at, so that a list of a million rows costs no more than
 * a short one.
 */
export class Layout {
  private readonly open: { index: number; extra: number }[];

  constructor(
    readonly count: number,
    readonly rowHeight: number,
    open: Iterable<{ index: number; extra: number }> = [],
  ) {
    this.open = [...open].filter((o) => o.index >= 0 && o.index < count).sort((a, b) => a.index - b.index);
  }

  get total(): number {
    return this.open.reduce((sum, o) => sum + o.extra, this.count * this.rowHeight);
  }

  /** Where a row begins. */
  top(index: number): number {
    let top = index * this.rowHeight;
    for (const o of this.open) if (o.index < index) top += o.extra;
    return top;
  }

  /** The row at a height. */
  at(y: number): number {
    let rest = y;
    for (const o of this.open) {
      const end = (o.index + 1) * this.rowHeight;
      if (rest < end) break;
      if (rest < end + o.extra) return this.clamp(o.index);
      rest -= o.extra;
    }
    return this.clamp(Math.floor(rest / this.rowHeight));
  }

  /** The rows that touch a stretch, with some more around it. The end is exclusive. */
  range(from: number, height: number, around: number): [number, number] {
    if (this.count === 0) return [0, 0];
    return [Math.max(0, this.at(from) - around), Math.min(this.count, this.at(from + height) + around + 1)];
  }

  private clamp(index: number): number {
    return Math.max(0, Math.min(this.count - 1, index));
  }
}
