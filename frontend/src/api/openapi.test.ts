import { readFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';

// The document that an agent answers at /functions/openapi.json, written and held
// to a first validator by the tests of backend/openapi.
const document = () =>
  JSON.parse(readFileSync('../backend/openapi/testdata/document.json', 'utf8')) as { paths: Record<string, unknown> };

describe('the description of an agent', () => {
  it('is OpenAPI 3.1', async () => {
    expect(await new Validator().validate(document())).toEqual({ valid: true });
  });

  it('would be refused if it were not', async () => {
    const broken = document();
    broken.paths['/orders'] = { get: { responses: 7 } };
    expect((await new Validator().validate(broken)).valid).toBe(false);
  });
});
