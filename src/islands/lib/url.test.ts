import { describe, expect, it } from 'vitest'
import { withSearchParams } from './url.ts'

const here = 'https://evenkeel.example/operator/deposits?status=approved#main'

describe('the address of a screen', () => {
  it('says what is chosen and keeps what else it says', () => {
    expect(withSearchParams(here, { open: '17' })).toBe('/operator/deposits?status=approved&open=17#main')
    expect(withSearchParams(here, { status: 'rejected' })).toBe('/operator/deposits?status=rejected#main')
  })

  it('says nothing of what goes without saying', () => {
    expect(withSearchParams(here, { status: null })).toBe('/operator/deposits#main')
    expect(withSearchParams(here, { open: null })).toBe('/operator/deposits?status=approved#main')
  })

  it('can say "all", which is not the same as nothing', () => {
    expect(withSearchParams(here, { status: '' })).toBe('/operator/deposits?status=#main')
  })

  it('changes several words at once', () => {
    expect(withSearchParams(here, { status: null, from: '2026-01-31', to: '2026-02-01' })).toBe(
      '/operator/deposits?from=2026-01-31&to=2026-02-01#main',
    )
  })
})
