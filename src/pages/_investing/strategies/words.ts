import type { Definition } from '../../../../engine/definition.ts'
import { SIMULATED_ASSETS, type SimulatedAsset } from '../../../../engine/simulatedAssets.ts'
import type { Parameter } from '../../../../engine/strategy.ts'

/** Replaces names in braces by a definition’s values and the names of its assets. Throws on an unknown name, which fails the build. */
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

export function assetOf(id: string): SimulatedAsset {
  const asset = SIMULATED_ASSETS.find((each) => each.id === id)
  if (asset === undefined) throw new Error(`the simulated market has no ${id}`)
  return asset
}

function inSentence(id: string): string {
  const { name, class: kind } = assetOf(id)
  return kind === 'index' ? `the ${name}` : name
}

function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}

/** The units of parameters. A bar is a day. */
const UNIT_WORDS: Readonly<Record<Parameter['unit'], string>> = {
  bars: 'days',
  'per cent': '%',
  'percentage points': 'percentage points',
  deviations: 'deviations',
  assets: 'assets',
  'index points': 'index points',
}

/** The engine’s text with “days” instead of “bars”. */
export function inDays(words: string): string {
  return words.replaceAll('bars', 'days')
}

export function unitText(value: number, unit: Parameter['unit']): string {
  const word = UNIT_WORDS[unit]
  return word === '%' ? `${value}%` : `${value} ${word}`
}
