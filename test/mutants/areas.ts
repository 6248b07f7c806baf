import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { listMutants, type Mutant } from './generate.ts'

const root = join(import.meta.dirname, '../..')

/** The folders and files whose code decides about money. */
export const AREAS = [
  'worker/chains',
  'worker/ledger',
  'worker/money',
  'worker/investing/allocations',
  'worker/investing/trading',
  'worker/console/cases',
  'worker/console/deposits',
  'worker/console/proposals',
  'worker/console/withdrawals',
  'src/contract/money',
  'engine/execution.ts',
  'engine/run.ts',
] as const

/** Mutants that no test can notice, each with the reason. */
export const EQUIVALENTS: Readonly<Record<string, string>> = {
  'worker/ledger/balances.ts#readBooks move-sql-bound 1': 'A position without units has no value.',
  'worker/ledger/latestPrice.ts#getLatestPrice drop-part 2':
    'Both columns of a displayed price are null, or neither is.',
  'worker/money/withdrawals/proof.ts#requestProof drop-statement 2':
    'The batch that mails the code counts it, and refuses the same.',
}

/** All mutants of a folder or file, without the equivalent ones. */
export function listAreaMutants(area: string): readonly Mutant[] {
  const files = area.endsWith('.ts') ? [area] : globSync(`${area}/**/*.ts`, { cwd: root }).sort()
  return files
    .filter((file) => !file.includes('.test.'))
    .flatMap((file) => listMutants(file, readFileSync(join(root, file), 'utf8')))
    .filter(({ id }) => !(id in EQUIVALENTS))
}
