import { site as content } from '../site.ts'

/** The operator's details, for MDX texts. MDX shows nothing for a mistyped name; here it fails the build. */
export const site = refuseUnknown(content, 'site')

/** The same object, in which reading a field that does not exist throws an error with its path. */
export function refuseUnknown<T extends object>(fields: T, path: string): T {
  return new Proxy(fields, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (typeof name === 'symbol') return value
      if (!Object.hasOwn(target, name))
        throw new Error(`There is no ${path}.${name} in src/content/site.json`)
      return typeof value === 'object' && value !== null ? refuseUnknown(value, `${path}.${name}`) : value
    },
  })
}
