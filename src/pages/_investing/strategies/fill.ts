import type { Definition } from '../../../../engine/definition.ts'
import { SIMULATED_ASSETS, type SimulatedAsset } from '../../../../engine/simulatedAssets.ts'

/**
 * Puts a definition’s numbers and the names of its assets in the place of the braces. Throws where there is no such number, so that no
 * page is built with a hole in its words.
 */
export function fill(text: string, { values, assets }: Pick<Definition, 'values' | 'assets'>): string {
  return text
    .replace(/\{(\w+)\}/g, (_, name: string) => {
      if (name === 'assets') return listed(assets.map(inSentence))
      const value = values[name]
      if (value === undefined) throw new Error(`"${text}": the definition has no ${name}`)
      return String(value)
    })
    .replaceAll(' %', '%')
}

/** A simulated asset. */
export function assetOf(id: string): SimulatedAsset {
  const asset = SIMULATED_ASSETS.find((each) => each.id === id)
  if (asset === undefined) throw new Error(`the simulated market has no ${id}`)
  return asset
}

function inSentence(id: string): string {
  const { name, class: kind } = assetOf(id)
  return kind === 'index' ? `the ${name}` : name
}

/** A, B and C */
function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}
