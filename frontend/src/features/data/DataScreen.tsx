import { Tabs } from '@mantine/core';
import { links } from '../../api/links';
import type { ScreenProps } from '../../app/screen';
import { t } from '../../i18n/t';
import { ContentView } from './ContentView';
import classes from './Data.module.css';
import { FoldersView } from './FoldersView';
import { KvView } from './KvView';

const tabs = ['kv', 'content', 'folders'] as const;

/** What functions keep: keys, content items, files of folders. */
export default function DataScreen({ agent, rest, go }: ScreenProps) {
  if (!agent) return null;
  const tab = tabs.find((t) => t === rest.split('/')[0]) ?? 'kv';
  return (
    <div className={classes.screen}>
      <h1 className="visually-hidden">{t('Data')}</h1>
      <Tabs value={tab} onChange={(t) => go(`${links.place(agent.username, 'data')}/${t}`)} keepMounted={false} className={classes.tabs}>
        <Tabs.List className={classes.tabList}>
          <Tabs.Tab value="kv">{t('Keys and values')}</Tabs.Tab>
          <Tabs.Tab value="content">{t('Content')}</Tabs.Tab>
          <Tabs.Tab value="folders">{t('Folders')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="kv" className={classes.panel}>
          <KvView agent={agent} />
        </Tabs.Panel>
        <Tabs.Panel value="content" className={classes.panel}>
          <ContentView agent={agent} />
        </Tabs.Panel>
        <Tabs.Panel value="folders" className={classes.panel}>
          <FoldersView agent={agent} />
        </Tabs.Panel>
      </Tabs>
    </div>
  );
}
