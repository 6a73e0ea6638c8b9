import { t } from '../../i18n/t';
import { JsonView } from '../../ui/JsonView';
import page from '../../ui/page.module.css';
import { fieldsOf, resolve, typeOf, type Document, type Field, type Operation, type Schema } from './document';
import classes from './Openapi.module.css';

/** One operation: what it takes and what it answers. */
export function OperationView({ doc, operation }: { doc: Document; operation: Operation }) {
  const parameters = (operation.parameters ?? []).map((p) => resolve(doc, p)).filter((p) => p.name);
  const body = resolve(doc, operation.requestBody);
  const who = (operation.security ?? []).map((s) => Object.keys(s).join(' and ') || 'nobody');
  return (
    <>
      {operation.description && <p className={classes.text}>{operation.description}</p>}
      {who.length > 0 && (
        <p className={page.dim}>
          {t('Takes {who}', { who: who.join(', or ').replace('nobody', t('no credential')) })}
        </p>
      )}
      {parameters.length > 0 && (
        <Fields
          title={t('Parameters')}
          fields={parameters.map((p) => ({ name: `${p.name ?? ''}`, depth: 0, type: `${typeOf(doc, p.schema)} in ${p.in ?? 'query'}`, required: Boolean(p.required), description: p.description ?? '' }))}
        />
      )}
      {Object.entries(body.content ?? {}).map(([type, media]) => (
        <Media key={type} doc={doc} title={t('Body · {type}', { type })} schema={media.schema} example={media.example} />
      ))}
      <h3 className={page.heading}>{t('Answers')}</h3>
      <ul className={`${page.list} ${classes.answers}`}>
        {Object.entries(operation.responses ?? {}).map(([status, raw]) => {
          const response = resolve(doc, raw);
          const [type, media] = Object.entries(response.content ?? {})[0] ?? [];
          return (
            <li key={status} className={classes.answer}>
              <span className={classes.status} data-kind={status[0]}>
                {status}
              </span>
              <span>{response.description}</span>
              {type && <span className={page.dim}>{type}</span>}
              {media?.schema && status.startsWith('2') && (
                <div className={classes.wide}>
                  <Media doc={doc} title="" schema={media.schema} example={media.example} />
                </div>
              )}
            </li>
          );
        })}
      </ul>
    </>
  );
}

function Media({ doc, title, schema, example }: { doc: Document; title: string; schema: Schema | undefined; example: unknown }) {
  const s = resolve(doc, schema);
  const choice = s.oneOf ?? s.anyOf;
  const fields = fieldsOf(doc, s);
  return (
    <>
      {choice ? (
        choice.map((c, i) => <Fields key={i} title={`${title}${title && ', '}${i > 0 ? 'or ' : ''}${resolve(doc, c).description ?? typeOf(doc, c)}`} fields={fieldsOf(doc, c)} />)
      ) : fields.length > 0 ? (
        <Fields title={title} fields={fields} />
      ) : (
        title && (
          <p className={page.dim}>
            {title}: {typeOf(doc, s)}
          </p>
        )
      )}
      {example !== undefined && <JsonView value={example} label={t('Example{value}', { value: title && t(' of {title}', { title }) })} />}
    </>
  );
}

function Fields({ title, fields }: { title: string; fields: readonly Field[] }) {
  return (
    <>
      {title && <h3 className={page.heading}>{title}</h3>}
      {fields.length > 0 && (
        <table className={classes.fields}>
          <tbody>
            {fields.map((f, i) => (
              <tr key={i}>
                <th scope="row" style={{ paddingLeft: 12 + f.depth * 18 }}>
                  {f.name}
                  {f.required && <span className={classes.required}>{t('required')}</span>}
                </th>
                <td className={classes.type}>{f.type}</td>
                <td>{f.description}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}
