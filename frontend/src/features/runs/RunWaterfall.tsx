import type { ReactNode } from 'react';
import type { InvocationDetail, TraceEntry } from '../../api/contract.gen';
import { useInvocation } from '../../api/queries';
import { Waterfall, type WaterfallRun } from '../../ui/waterfall/Waterfall';

interface Props {
  run: InvocationDetail;
  /** Shows a run that this one called. */
  openRun?: (id: string) => void;
  renderDetail?: (entry: TraceEntry) => ReactNode;
  onCopy?: (text: string) => void;
}

/** The waterfall of a run, with the runs it called inside it. */
export function RunWaterfall({ run, openRun, renderDetail, onCopy }: Props) {
  return (
    <Waterfall
      key={run.id}
      {...drawn(run)}
      renderNested={(id, row) => <Nested id={id} row={row} />}
      onOpenNested={openRun}
      renderDetail={renderDetail}
      onCopy={onCopy}
    />
  );
}

function drawn(run: InvocationDetail): WaterfallRun {
  return { name: run.function_name, trace: run.trace ?? [], durationMs: run.duration_ms };
}

function Nested({ id, row }: { id: string; row: (run: WaterfallRun) => ReactNode }) {
  const child = useInvocation(id).data;
  return child ? row(drawn(child)) : null;
}
