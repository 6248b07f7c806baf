import type { Page } from '@playwright/test'

/**
 * Treats every text as a browser's translator does: moves it into `<font>` elements that React does not know, as soon as it appears,
 * and leaves what is marked with `translate="no"`. Call it before the page is opened.
 */
export async function translatePage(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const SKIPPED = 'script, style, noscript, title, textarea, option, svg, font, [translate="no"]'
    // React marks the elements that it has taken over. Before that, another text would be a failed hydration.
    const isHydrated = (element: Element) =>
      element.closest('astro-island') === null ||
      Object.keys(element).some((key) => key.startsWith('__reactFiber'))
    const translateText = (text: Text) => {
      const parent = text.parentElement
      if (parent === null || parent.closest(SKIPPED) || !isHydrated(parent)) return
      const font = document.createElement('font')
      font.appendChild(document.createElement('font')).textContent = text.data
      text.replaceWith(font)
    }
    const translateAll = (root: Node) => {
      const texts: Text[] = []
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
      for (let node: Node | null = walker.currentNode; node !== null; node = walker.nextNode())
        if (node instanceof Text) texts.push(node)
      for (const text of texts) translateText(text)
    }
    const watch = () => {
      setInterval(() => translateAll(document.body), 200)
      new MutationObserver((changes) => {
        for (const { addedNodes } of changes)
          for (const node of addedNodes) if (node.isConnected) translateAll(node)
      }).observe(document.body, { subtree: true, childList: true })
    }
    document.addEventListener('DOMContentLoaded', watch)
  })
}
