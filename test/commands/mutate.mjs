// `npm run mutate [-- KIND] [NAME…]`: changes the code in one place after the other and reports what notices it: `defects` (the
// default), `code` or `triggers`. Exits with 1 if something goes unnoticed.
import { mutateCode } from './mutate/code.mjs'
import { mutateDefects } from './mutate/defects.mjs'
import { mutateTriggers } from './mutate/triggers.mjs'

/** @type {Readonly<Record<string, (names: readonly string[]) => boolean | Promise<boolean>>>} */
const KINDS = {
  defects: mutateDefects,
  code: mutateCode,
  triggers: mutateTriggers,
}

const [kind = '', ...names] = process.argv.slice(2)
const mutate = KINDS[kind]
const areAllNoticed = await (mutate?.(names) ?? mutateDefects(process.argv.slice(2)))
process.exitCode = areAllNoticed ? 0 : 1
