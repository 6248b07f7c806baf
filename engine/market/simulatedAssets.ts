/** The assets of the simulated market. Named after trees and stones, so that they cannot be mistaken for real ones. */
export interface SimulatedAsset {
  readonly id: string
  readonly name: string
  readonly class: 'coin' | 'stock' | 'index'
}

export const SIMULATED_ASSETS: readonly SimulatedAsset[] = [
  { id: 'sim-alder', name: 'Alder', class: 'coin' },
  { id: 'sim-birch', name: 'Birch', class: 'coin' },
  { id: 'sim-cedar', name: 'Cedar', class: 'coin' },
  { id: 'sim-dogwood', name: 'Dogwood', class: 'coin' },
  { id: 'sim-flint', name: 'Flint', class: 'stock' },
  { id: 'sim-granite', name: 'Granite', class: 'stock' },
  { id: 'sim-slate', name: 'Slate', class: 'stock' },
  { id: 'sim-index', name: 'Index of Four Coins', class: 'index' },
]
