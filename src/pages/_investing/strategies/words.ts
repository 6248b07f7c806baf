import type { Definition } from '../../../../engine/definition.ts'
import { REAL_PAIRS } from '../../../../engine/market/realPairs.ts'
import { SIMULATED_ASSETS } from '../../../../engine/market/simulatedAssets.ts'
import type { Parameter } from '../../../../engine/strategy.ts'

/**
 * Replaces names in braces by a definition’s values and the names of its assets. The first letter is capital. Throws on an unknown
 * name, which fails the build.
 */
export function fill(text: string, { values, assets }: Pick<Definition, 'values' | 'assets'>): string {
  const filled = text
    .replace(/\{(\w+)\}/g, (_, name: string) => {
      if (name === 'assets') return joinNames(assets.map(formatAssetName))
      const value = values[name]
      if (value === undefined) throw new Error(`"${text}": the definition has no ${name}`)
      return String(value)
    })
    .replaceAll(' %', '%')
  return toUpperFirst(filled)
}

/** The name of an asset, such as “Bitcoin” or “Alder”. Throws for an unknown one. */
export function getAssetName(id: string): string {
  const asset =
    SIMULATED_ASSETS.find((knownAsset) => knownAsset.id === id) ??
    REAL_PAIRS.find((each) => each.asset === id)
  if (asset === undefined) throw new Error(`no market has ${id}`)
  return asset.name
}

function formatAssetName(id: string): string {
  if (SIMULATED_ASSETS.some((asset) => asset.id === id && asset.class === 'index'))
    return `the ${getAssetName(id)}`
  // Coins are common nouns: bitcoin, ether. The others are names.
  return id === 'bitcoin' || id === 'ethereum' ? getAssetName(id).toLowerCase() : getAssetName(id)
}

function toUpperFirst(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function joinNames(names: readonly string[]): string {
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
export function toDayWords(words: string): string {
  return words.replaceAll('bars', 'days')
}

export function formatWithUnit(value: number, unit: Parameter['unit']): string {
  const word = UNIT_WORDS[unit]
  return word === '%' ? `${value}%` : `${value} ${word}`
}
