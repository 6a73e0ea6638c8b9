import { Button, Menu, SegmentedControl } from '@mantine/core';
import { FolderOpen, GitCompare } from 'lucide-react';
import type { Agent, WorkFunction } from '../../api/contract.gen';
import { agentFile, isFunction, useVersions } from '../../api/queries';
import { t } from '../../i18n/t';
import { useNative } from '../../native/NativeContext';
import { ago } from '../../ui/format';
import { Hint } from '../../ui/Keys';
import { StatusChip } from '../../ui/StatusChip';
import { isDirty } from './doc';
import type { FunctionDocs, Part } from './docs';
import classes from './EditorPane.module.css';

/** What the text in view is compared with: what was saved last, or a version. */
export type Against = 'saved' | number;

interface Props {
  agent: Agent;
  work: WorkFunction;
  open: FunctionDocs;
  shown: Part;
  onShow: (part: Part) => void;
  form: boolean;
  onForm: (form: boolean) => void;
  against: Against | undefined;
  onAgainst: (against: Against | undefined) => void;
  dirty: boolean;
  conflict: boolean;
  saving: boolean;
  formatting: boolean;
  onFormatting: (on: boolean) => void;
  onSave: () => void;
}

/** The head of the editor: its texts, how they are shown, and what is saved. */
export function EditorTabs({ agent, work, open, shown, onShow, form, onForm, against, onAgainst, dirty, conflict, saving, formatting, onFormatting, onSave }: Props) {
  const native = useNative();
  const versions = useVersions(agent.id, work.name, work.version > 0 && isFunction(work.name)).data?.versions ?? [];
  return (
    <div className={classes.tabs}>
      <div role="tablist" aria-label={work.name === agentFile ? t('Texts of the agent') : t('Texts of the function')} className={classes.tablist}>
        {(['source', 'manifest'] as const).filter((p) => open[p]).map((p) => (
          <button
            key={p}
            type="button"
            role="tab"
            aria-selected={shown === p}
            tabIndex={shown === p ? 0 : -1}
            className={classes.tab}
            onClick={() => onShow(p)}
            onKeyDown={(e) => {
              if (e.key === 'ArrowLeft' || e.key === 'ArrowRight') onShow(shown === 'source' ? 'manifest' : 'source');
            }}
          >
            {fileName(work[p]?.path) || (p === 'source' ? 'index.js' : 'manifest.json')}
            {open[p] && isDirty(open[p]) && <span className={classes.dot} role="img" aria-label={t('unsaved')} />}
          </button>
        ))}
      </div>
      {shown === 'manifest' && against === undefined && !conflict && (
        <SegmentedControl
          aria-label={t('Manifest as form or JSON')}
          className={classes.as}
          value={form ? 'form' : 'json'}
          onChange={(v) => onForm(v === 'form')}
          data={[
            { value: 'json', label: 'JSON' },
            { value: 'form', label: t('Form') },
          ]}
        />
      )}
      <span className={classes.space} />
      <span className={classes.state}>
        <SavedState work={work} dirty={dirty} conflict={conflict} saving={saving} />
      </span>
      <Menu position="bottom-end" width={300}>
        <Menu.Target>
          <Button variant="subtle" color="gray" size="compact-xs" aria-label={t('Compare and format')} disabled={conflict}>
            <GitCompare size={14} />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {against !== undefined && <Menu.Item onClick={() => onAgainst(undefined)}>{t('Back to the editor')}</Menu.Item>}
          <Menu.Item disabled={!dirty} onClick={() => onAgainst('saved')}>
            {t('Compare with what is saved')}
          </Menu.Item>
          {versions.slice(0, 8).map((v) => (
            <Menu.Item key={v.version} onClick={() => onAgainst(v.version)}>
              {t('Compare with version {version}', { version: v.version })} <span className={classes.when}>{ago(v.createdAt)}</span>
            </Menu.Item>
          ))}
          {work.name !== agentFile && (
            <>
              <Menu.Divider />
              <Menu.CheckboxItem checked={formatting} onChange={onFormatting}>
                {t('Format on save')}
              </Menu.CheckboxItem>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      {native.reveal && agent.folder && work.source?.path && (
        <Button variant="subtle" color="gray" size="compact-xs" aria-label={t('Show in folder')} onClick={() => void native.reveal?.(`${agent.folder}/${work.source?.path}`)}>
          <FolderOpen size={14} />
        </Button>
      )}
      <Hint label={t('Save and validate')} command="save">
        <Button flex="none" size="compact-sm" variant={dirty ? 'filled' : 'default'} disabled={!dirty || conflict} loading={saving} onClick={onSave}>
          {t('Save')}
        </Button>
      </Hint>
    </div>
  );
}

function SavedState({ work, dirty, conflict, saving }: { work: WorkFunction; dirty: boolean; conflict: boolean; saving: boolean }) {
  if (conflict) return <StatusChip tone="warn">{t('conflict')}</StatusChip>;
  if (saving) return <StatusChip tone="run" busy>{t('saving')}</StatusChip>;
  if (dirty) return <StatusChip tone="dim">{t('unsaved')}</StatusChip>;
  if (work.broken && work.name === agentFile) return <StatusChip tone="warn">{t('saved, with problems')}</StatusChip>;
  if (work.broken) return <StatusChip tone="bad">{work.version === 0 ? t('does not load') : work.layout === 'module' ? t('broken, the last serves') : t('broken, v{version} serves', { version: work.version })}</StatusChip>;
  return <StatusChip tone="ok">{!isFunction(work.name) ? t('saved') : t('saved v{version}', { version: work.version })}</StatusChip>;
}

function fileName(path: string | undefined): string {
  return path?.split('/').at(-1) ?? '';
}
