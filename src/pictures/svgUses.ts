import type { SaxesTagNS } from 'saxes'
import { createUnsafeError } from './bytes.ts'

/**
 * Counts the elements that `use` makes a renderer draw. A few nested ones can expand to billions (the "billion laughs"
 * of SVG), so nested uses and large totals are refused.
 */
export class SvgUses {
  private readonly open: { id: string | undefined; startedAt: number }[] = []
  private readonly sizes = new Map<string, number>()
  private readonly uses: { target: string; within: string[] }[] = []
  private elements = 0

  enter(tag: SaxesTagNS): void {
    this.elements += 1
    if (this.elements > MAX_DRAWN) throw createUnsafeError()
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
    return isNested || drawn > MAX_DRAWN
  }
}

const MAX_DRAWN = 200_000
