import { Printer } from 'lucide-react'
import { type Gains as GainsData, getGains } from '../../../contract/money/gains.ts'
import { Button } from '../../../design/Button.tsx'
import { joinClasses } from '../../../design/classes.ts'
import { withErrorBoundary } from '../../../design/ErrorBoundary.tsx'
import { SelectField } from '../../../design/SelectField.tsx'
import { Skeleton } from '../../../design/Skeleton.tsx'
import { site } from '../../../site.ts'
import { call, callBlob } from '../../lib/api.ts'
import { Loaded, Waiting } from '../../lib/Loaded.tsx'
import { useResource } from '../../lib/resource.ts'
import { SaveCsv } from '../../lib/SaveCsv.tsx'
import { setSearchParams, useSearchParams } from '../../lib/url.ts'
import styles from '../statements/Statement.module.css'
import { ChooseMethod } from './ChooseMethod.tsx'
import { GainSheet } from './GainSheet.tsx'

export const Gains = withErrorBoundary(Screen, '/dashboard/overview')

/** /dashboard/gains: gains and losses by year. */
function Screen() {
  const words = useSearchParams()
  const year = words?.get('year') ?? ''
  const gains = useResource(words === null ? null : `gains ${year}`, () =>
    call(getGains, { query: { year } }),
  )
  return (
    <div className={styles.screen}>
      <Loaded resource={gains} waiting={<Loading />}>
        {(data) => (
          <>
            <Choice gains={data} />
            {data.report === null ? (
              <ChooseMethod key={data.year} gains={data} onFixed={gains.reload} />
            ) : (
              <GainSheet gains={data} report={data.report} />
            )}
          </>
        )}
      </Loaded>
    </div>
  )
}

function Loading() {
  return (
    <Waiting label="Loading your gains">
      <Skeleton width="full" height="block" />
    </Waiting>
  )
}

const FILES = [
  { format: 'csv', label: 'Save as CSV' },
  { format: 'koinly', label: 'For Koinly' },
  { format: 'form8949', label: 'For Form 8949' },
] as const

function Choice({ gains: { year, years, report } }: { gains: GainsData }) {
  return (
    <search className={joinClasses(styles.choice, styles.ofYear)} aria-label="Choose the year">
      <SelectField
        label="Year"
        value={String(year)}
        options={years.map((value) => ({ value: String(value), label: String(value) }))}
        onChange={({ target }) => setSearchParams({ year: target.value })}
      />
      {report !== null && (
        <div className={styles.actions}>
          <Button onClick={() => window.print()} icon={<Printer aria-hidden="true" size={16} />}>
            Print
          </Button>
          {FILES.map(({ format, label }) => (
            <SaveCsv
              key={format}
              label={label}
              buildName={() => `${site.slug}-gains-${year}${format === 'csv' ? '' : `-${format}`}`}
              load={() => callBlob(getGains, { query: { year: String(year), format }, quiet: false })}
            />
          ))}
        </div>
      )}
    </search>
  )
}
