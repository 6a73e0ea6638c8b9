import type { Reporter, TestCase, TestResult } from '@playwright/test/reporter';

/** Prints what the measurements print, and what kept one of them from being made. */
export default class Figures implements Reporter {
  onStdOut(chunk: string | Buffer): void {
    process.stdout.write(chunk);
  }

  onTestEnd(test: TestCase, result: TestResult): void {
    for (const { stack, message } of result.errors) process.stderr.write(`${test.title}: ${stack ?? message}\n`);
  }

  printsToStdio(): boolean {
    return true;
  }
}
