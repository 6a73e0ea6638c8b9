import { Button, NumberInput, Select, Skeleton, Switch } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../../api/ApiContext';
import type { Settings } from '../../api/contract.gen';
import { messageOf } from '../../api/errors';
import { keys } from '../../api/keys';
import { locale } from '../../i18n/language';
import { t } from '../../i18n/t';
import { ErrorBox } from '../../ui/ErrorBox';
import { useAct } from '../../ui/useAct';
import classes from './Settings.module.css';

/** The settings of the platform, as a form. */
export function PlatformSettings() {
  const { client } = useApi();
  const settings = useQuery({ queryKey: keys.settings, queryFn: ({ signal }) => client.call('GET /api/local/settings', { signal }) });
  if (settings.isError) return <ErrorBox title={messageOf(settings.error)} onRetry={() => void settings.refetch()} />;
  if (!settings.data) return <Skeleton height={200} radius="md" />;
  return <Form key={JSON.stringify(settings.data)} now={settings.data} />;
}

type NumberKey = 'historyRows' | 'historyDays' | 'validationsPerMinute';

const numbers: readonly { key: NumberKey; label: string; text: string; suffix: string; from: number; max: number }[] = [
  { key: 'historyRows', label: t('Invocations to keep'), text: t('The oldest go first. What was changed stays.'), suffix: ' rows', from: 100, max: 100_000_000 },
  { key: 'historyDays', label: t('Days to keep them'), text: t('An invocation goes when either limit is passed.'), suffix: ' days', from: 1, max: 36_500 },
  { key: 'validationsPerMinute', label: t('Validations'), text: t('Of one agent in a minute, before 429 answers.'), suffix: t(' a minute'), from: 1, max: 1_000_000 },
];

const units = [
  { value: '1000000000', label: '1,000,000,000 (default)' },
  { value: '100000000', label: '100,000,000' },
  { value: '100000000000', label: '100,000,000,000' },
];

function Form({ now }: { now: Settings }) {
  const { client } = useApi();
  const cache = useQueryClient();
  const { busy, act } = useAct();
  const [draft, setDraft] = useState(now);
  const changed = JSON.stringify(draft) !== JSON.stringify(now);
  const wrong = numbers.filter(({ key, from, max }) => draft[key] !== 0 && (draft[key] < from || draft[key] > max));
  const save = () =>
    act(
      'save',
      async () => {
        await client.call('PUT /api/local/settings', { body: draft });
        await cache.invalidateQueries({ queryKey: keys.settings });
      },
      t('Settings are saved'),
    );
  const number = ({ key, label, text, suffix, from, max }: (typeof numbers)[number]) => (
    <div key={key} className={classes.row}>
      <span className={classes.label} id={`label-${key}`}>
        {label}
        <span className={classes.text}>{text}</span>
      </span>
      <span className={classes.field}>
        <NumberInput
          size="xs"
          aria-labelledby={`label-${key}`}
          min={0}
          max={max}
          allowDecimal={false}
          allowNegative={false}
          thousandSeparator=","
          suffix={suffix}
          placeholder={t('No limit')}
          value={draft[key] === 0 ? '' : draft[key]}
          error={wrong.some((w) => w.key === key) ? t('From {from} to {max}, or empty for no limit', { from: from.toLocaleString(locale()), max: max.toLocaleString(locale()) }) : undefined}
          onChange={(v) => setDraft({ ...draft, [key]: typeof v === 'number' ? v : 0 })}
        />
      </span>
    </div>
  );
  return (
    <>
      <section className={classes.section} aria-labelledby="history">
        <h2 id="history" tabIndex={-1} className={classes.title}>
          {t('History and validation')}
        </h2>
        {numbers.map(number)}
      </section>
      <section className={classes.section} aria-labelledby="protocols">
        <h2 id="protocols" tabIndex={-1} className={classes.title}>
          {t('Payments and protocols')}
        </h2>
        <div className={classes.row}>
          <span className={classes.label} id="label-relaxed">
            {t('Payments without a credential')}
            <span className={classes.text}>
              {t('Calls of /api/payments from this machine count as yours when they carry nothing. For client libraries that send none; any program here can spend then.')}
            </span>
          </span>
          <Switch
            aria-labelledby="label-relaxed"
            label={draft.relaxedPayments ? t('Allowed') : t('Refused')}
            checked={draft.relaxedPayments}
            onChange={(e) => setDraft({ ...draft, relaxedPayments: e.currentTarget.checked })}
          />
        </div>
        <div className={classes.row}>
          <span className={classes.label} id="label-unit">
            {t('Nanocents in a dollar')}
            <span className={classes.text}>{t('What functions mean by an amount. Sources differ; change it to match yours.')}</span>
          </span>
          <span className={classes.field}>
            <Select
              aria-labelledby="label-unit"
              allowDeselect={false}
              data={units}
              value={String(draft.nanocentsPerDollar)}
              onChange={(v) => v && setDraft({ ...draft, nanocentsPerDollar: Number(v) })}
            />
          </span>
        </div>
        <div className={classes.row}>
          <span className={classes.label} id="label-a2a">
            {t('Older agent-to-agent clients')}
            <span className={classes.text}>{t('Agents also answer the verbs from before 1.0 and serve their card at agent.json.')}</span>
          </span>
          <Switch
            aria-labelledby="label-a2a"
            label={draft.a2aLegacy ? t('Answered') : t('Not answered')}
            checked={draft.a2aLegacy}
            onChange={(e) => setDraft({ ...draft, a2aLegacy: e.currentTarget.checked })}
          />
        </div>
      </section>
      {changed && (
        <div className={classes.save} role="status">
          <span>{t('There are changes that are not saved.')}</span>
          <Button variant="default" onClick={() => setDraft(now)}>
            {t('Undo')}
          </Button>
          <Button disabled={wrong.length > 0} loading={busy === 'save'} onClick={() => void save()}>
            {t('Save')}
          </Button>
        </div>
      )}
    </>
  );
}
