import type { SaxesTagNS } from 'saxes'
import { unsafe } from './bytes.ts'

/**
 * Counts what the `use` elements of an SVG make a renderer draw. A few nested ones can stand for billions of elements
 * (the "billion laughs" of SVG), so a `use` inside what another `use` draws is too much, and so are too many in all.
 */
export class SvgUses {
  private readonly open: { id: string | undefined; startedAt: number }[] = []
  private readonly sizes = new Map<string, number>()
  private readonly uses: { target: string; within: string[] }[] = []
  private elements = 0

  enter(tag: SaxesTagNS): void {
    this.elements += 1
    if (this.elements > MOST_DRAWN) throw unsafe()
    this.open.push({ id: tag.attributes.id?.value, startedAt: this.elements })
    if (tag.local !== 'use') return
    const href = tag.attributes.href?.value ?? tag.attributes['xlink:href']?.value ?? ''
    this.uses.push({ target: href.trim().slice(1), within: this.open.flatMap(({ id }) => id ?? []) })
  }

  leave(): void {
    const left = this.open.pop()
    if (left?.id !== undefined) this.sizes.set(left.id, this.elements - left.startedAt + 1)
  }

  isTooMuch(): boolean {
    const targets = new Set(this.uses.map((use) => use.target))
    const isNested = this.uses.some((use) => use.within.some((id) => targets.has(id)))
    const drawn = this.uses.reduce((sum, use) => sum + (this.sizes.get(use.target) ?? 0), this.elements)
    return isNested || drawn > MOST_DRAWN
  }
}

const MOST_DRAWN = 200_000
