import { useState } from 'react'
import { type CarfGaps, carfCompany, exportCarf, getCarfGaps } from '../../../contract/console/reports.ts'
import { TextField } from '../../../design/Field.tsx'
import { Form } from '../../../design/Form.tsx'
import { site } from '../../../site.ts'
import { CountryField } from '../../identity/signUp/PersonFields.tsx'
import { call, callBlob } from '../../lib/api.ts'
import { useEndpointForm } from '../../lib/endpointForm.ts'
import { useResource } from '../../lib/resource.ts'
import { saveFile } from '../../lib/saveFile.ts'

/** Asks for the year and the company, and downloads the file. */
export function CarfForm({ onDone }: { onDone: () => void }) {
  const lastYear = String(new Date().getUTCFullYear() - 1)
  const [year, setYear] = useState(lastYear)
  const isYear = /^20[2-9]\d$/.test(year)
  const gaps = useResource(isYear ? `report ${year}` : null, () => call(getCarfGaps, { query: { year } }))
  const { shell, field } = useEndpointForm({
    endpoint: exportCarf,
    schema: carfCompany,
    defaultValues: { company: site.company.name ?? '' },
    bodyOf: (typed) => ({ ...typed, year: Number(year) }),
    send: async (content) => saveFile(`${site.slug}-carf-${year}.xml`, await callBlob(exportCarf, content)),
    failures: 'form',
    onDone,
  })
  return (
    <Form {...shell} submitLabel="Download the report" label="Report to tax authorities">
      <p className="small soft">
        An XML file in the format of the OECD’s Crypto-Asset Reporting Framework (CARF), version 1.5: deposits
        and withdrawals of coins, by person and coin. Let your tax adviser check it before you send it.
      </p>
      <TextField
        label="Year"
        inputMode="numeric"
        name="year"
        value={year}
        onChange={({ currentTarget }) => setYear(currentTarget.value)}
      />
      {gaps.state === 'ready' && <Gaps gaps={gaps.data} />}
      <TextField label="Company" {...field('company')} />
      <div className="pair">
        <TextField label="City" {...field('city')} />
        <CountryField hint="Where the company pays taxes" {...field('country')} />
      </div>
      <TextField label="Tax number" translate="no" {...field('taxNumber')} />
    </Form>
  )
}

function Gaps({ gaps: { people, missing, gaps } }: { gaps: CarfGaps }) {
  return (
    <div role="status">
      <p>
        <span>{`In the report: ${people}.`}</span>{' '}
        <span>{missing > 0 && `Left out, because data is missing: ${missing}.`}</span>
      </p>
      {gaps.length > 0 && (
        <ul>
          {gaps.map(({ _id, name, lacks }) => (
            <li key={_id}>
              <a href={`/operator/investors?open=${_id}`}>{name}</a>
              <span>: no {lacks.join(', no ')}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
