// Prints how many schemas, with their checks, the start of the Worker builds. Those that load with a later request do not count.
import { registerHooks } from 'node:module'

/** What only workerd has. */
const ABSENT = {
  'cloudflare:workers': 'export class DurableObject {}',
  'argon2id.wasm': 'export default null',
}
registerHooks({
  resolve(name, context, next) {
    const source = Object.entries(ABSENT).find(([end]) => name.endsWith(end))?.[1]
    return source === undefined
      ? next(name, context)
      : { url: `data:text/javascript,${source}`, shortCircuit: true }
  },
})

// zod gives each schema and each check this property.
const define = Object.defineProperty
let schemas = 0
Object.defineProperty = (object, key, descriptor) => {
  if (key === '_zod') schemas++
  return define(object, key, descriptor)
}
await import('../../worker/index.ts')
console.log(schemas)
