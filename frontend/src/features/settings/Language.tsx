import { Button, FileButton, Select } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { chooseLanguage, chosenLanguage, keepFile, languageName, languages, readCatalogue, readFile, ProblemOfFile } from '../../i18n/language';
import { t } from '../../i18n/t';
import { saveFile } from '../../ui/download';
import classes from './Settings.module.css';

/** The language of the page, and what somebody needs who writes another one. */
export function Language() {
  const file = readFile();
  // Texts are read once, so a language counts from the next load on.
  const choose = (code: string) => {
    chooseLanguage(code);
    location.reload();
  };
  const open = async (chosen: File | null) => {
    if (!chosen) return;
    try {
      const catalogue = readCatalogue(await chosen.text());
      keepFile(catalogue);
      choose(catalogue.language);
    } catch (error) {
      notifications.show({ color: 'red', title: t('{name} is no file of translations', { name: chosen.name }), message: problemOf(error) });
    }
  };
  const forget = () => {
    keepFile(undefined);
    choose('');
  };
  const save = async () => {
    const english = await import('../../i18n/messages.en.json?raw');
    saveFile('messages.en.json', english.default, 'application/json');
  };
  return (
    <div className={`${classes.row} ${classes.wraps}`}>
      <span className={classes.label}>
        {t('Language')}
        <span className={classes.text}>{t('For another one, get the English texts, translate what stands behind each and open the file here.')}</span>
      </span>
      <div className={classes.controls}>
        <Button size="compact-sm" variant="default" onClick={() => void save()}>
          {t('Get the English texts')}
        </Button>
        {file ? (
          <Button size="compact-sm" variant="default" onClick={forget}>
            {t('Forget the file')}
          </Button>
        ) : (
          <FileButton accept=".json" onChange={(chosen) => void open(chosen)}>
            {(props) => (
              <Button size="compact-sm" variant="default" {...props}>
                {t('Open a file…')}
              </Button>
            )}
          </FileButton>
        )}
        <Select
          className={classes.field}
          aria-label={t('Language')}
          allowDeselect={false}
          value={languages().includes(chosenLanguage()) ? chosenLanguage() : ''}
          onChange={(code) => choose(code ?? '')}
          data={[{ value: '', label: t('As the browser') }, ...languages().map((code) => ({ value: code, label: languageName(code) }))]}
        />
      </div>
    </div>
  );
}

function problemOf(error: unknown): string {
  if (error instanceof ProblemOfFile && error.of === 'language') return t('It needs a "language", such as "de".');
  if (error instanceof ProblemOfFile) return t('It needs "messages": each English text with its translation.');
  return t('It is not JSON.');
}
