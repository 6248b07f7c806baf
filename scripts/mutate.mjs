// `npm run mutate [-- KIND] [NAME…]`: changes the code in one place after the other and reports what notices it: `defects` (the
// default) or `conditions`. Exits with 1 if something goes unnoticed.
import { mutateConditions } from './mutate/conditions.mjs'
import { mutateDefects } from './mutate/defects.mjs'

const KINDS = new Map([
  ['defects', mutateDefects],
  ['conditions', mutateConditions],
])

const parameters = process.argv.slice(2)
const mutate = KINDS.get(parameters[0] ?? '')
const areAllNoticed = mutate === undefined ? mutateDefects(parameters) : await mutate(parameters.slice(1))
process.exitCode = areAllNoticed ? 0 : 1
