import { createElement, useEffect } from 'react'
import styles from './playback.css?inline'
import { definePlayback } from './StrategyPlayback.ts'

interface PlaybackProps {
  /** The address of the strategy's test, such as `/strategies/slow-trend/simulated`. */
  testPath: string
  /** USD. */
  amount: number
}

/** Plays the test of a strategy with an amount, day by day. */
export function Playback({ testPath, amount }: PlaybackProps) {
  useEffect(() => {
    addStyles()
    definePlayback()
  }, [])
  return createElement('strategy-playback', {
    'data-source': `${testPath}/playback.json`,
    'data-amount': amount,
  })
}

let sheet: CSSStyleSheet | null = null

/** The page would otherwise load the sheet first, although few investors need it. */
function addStyles(): void {
  if (sheet !== null) return
  sheet = new CSSStyleSheet()
  sheet.replaceSync(styles)
  document.adoptedStyleSheets.push(sheet)
}
