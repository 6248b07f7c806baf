import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { Risk } from '../../../contract/console/risk.ts'
import { RiskPanel } from './RiskPanel.tsx'

test('without signs, the risk of an account says nothing about its open cases', () => {
  const risk: Risk = { level: 'low', score: 0, signals: [] }
  expect(renderToStaticMarkup(createElement(RiskPanel, { risk }))).toContain('No signs found in this case.')
  const html = renderToStaticMarkup(createElement(RiskPanel, { risk, of: 'account' }))
  expect(html).toContain('No signs found in the account. Each open case has its own risk.')
})
