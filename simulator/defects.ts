import { join } from 'node:path'
import type { Defect } from './defects/defect.ts'
import { INVESTING_DEFECTS } from './defects/investing.ts'
import { MONEY_DEFECTS } from './defects/money.ts'
import { PLATFORM_DEFECTS } from './defects/platform.ts'
import type { Rewrite } from './lane/load.ts'

/** Mistakes that somebody could make while changing the code. `npm run mutate` plants one after the other. */
export const DEFECTS: readonly Defect[] = [...MONEY_DEFECTS, ...INVESTING_DEFECTS, ...PLATFORM_DEFECTS]

/** Plants a defect by its name. Throws for an unknown name, and if its text is not in the file exactly once. */
export function planted(name: string): Rewrite {
  const defect = DEFECTS.find((each) => each.name === name)
  if (defect === undefined) throw new Error(`There is no defect named ${name}`)
  const file = join(import.meta.dirname, '..', defect.file)
  return (path, text) => {
    if (path !== file) return null
    const parts = text.split(defect.find)
    if (parts.length !== 2)
      throw new Error(`${name}: its text stands ${parts.length - 1} times in ${defect.file}`)
    return parts.join(defect.replace)
  }
}
