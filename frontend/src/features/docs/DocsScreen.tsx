import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import Markdown, { type Components } from 'react-markdown';
import gfm from 'remark-gfm';
import { useApi } from '../../api/ApiContext';
import { messageOf } from '../../api/errors';
import { keys } from '../../api/keys';
import { links } from '../../api/links';
import type { ScreenProps } from '../../app/screen';
import { t } from '../../i18n/t';
import { useNative } from '../../native/NativeContext';
import { ErrorBox } from '../../ui/ErrorBox';
import classes from './Docs.module.css';

/** The documentation of the version that runs. */
export default function DocsScreen({ rest, go }: ScreenProps) {
  const { client } = useApi();
  const native = useNative();
  const list = useQuery({ queryKey: keys.docs, staleTime: Infinity, queryFn: ({ signal }) => client.call('GET /api/local/docs', { signal }) });
  const name = rest.split('/')[0] || (list.data?.pages[0]?.name ?? '');
  const doc = useQuery({
    queryKey: keys.doc(name),
    enabled: name !== '',
    staleTime: Infinity,
    queryFn: ({ signal }) => client.call('GET /api/local/docs/:name', { params: { name }, signal }),
  });
  const text = useRef<HTMLElement>(null);
  useEffect(() => {
    text.current?.scrollTo({ top: 0 }); // its answer, a promise in newer browsers, is no clean-up
  }, [name]);

  const parts: Components = {
    a: ({ href = '', children }) => {
      const page = /^([\w-]+)\.md$/.exec(href)?.[1];
      return (
        <a
          href={page ? `#${links.docs(page)}` : href}
          onClick={(e) => {
            e.preventDefault();
            if (page) go(links.docs(page));
            else if (/^https?:\/\//.test(href)) native.openExternal(href);
          }}
        >
          {children}
        </a>
      );
    },
    pre: ({ children }) => <pre tabIndex={0}>{children}</pre>,
    table: ({ children }) => (
      <div className={classes.table} tabIndex={0} role="region" aria-label={t('Table')}>
        <table>{children}</table>
      </div>
    ),
  };
  return (
    <div className={classes.page}>
      <nav className={classes.list} aria-label={t('Pages')}>
        {(list.data?.pages ?? []).map((p) => (
          <button key={p.name} type="button" className={classes.entry} aria-current={p.name === name ? 'page' : undefined} onClick={() => go(links.docs(p.name))}>
            {p.title}
          </button>
        ))}
      </nav>
      <article ref={text} className={classes.text} tabIndex={0} aria-label={doc.data?.title ?? t('Documentation')} data-testid="doc">
        {(list.isError || doc.isError) && <ErrorBox title={messageOf(list.error ?? doc.error)} onRetry={() => void (list.isError ? list : doc).refetch()} />}
        {doc.isPending && !doc.isError && <Skeleton height={300} radius="md" />}
        {doc.data && (
          <div className={classes.prose}>
            <Markdown remarkPlugins={[gfm]} components={parts}>
              {doc.data.text ?? ''}
            </Markdown>
          </div>
        )}
      </article>
    </div>
  );
}
