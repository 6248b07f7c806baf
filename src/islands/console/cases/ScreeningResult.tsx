import type { ScreeningRecord } from '../../../contract/console/cases.ts'
import { DateTime } from '../../../design/DateTime.tsx'
import type { Fact } from '../../../design/Facts.tsx'

/** The result of the comparison with the sanctions list, as a fact of a case. `address` names the other compared thing besides the names. */
export function listScreeningFact(screening: ScreeningRecord | null | undefined, address?: string): Fact {
  return {
    label: 'Sanctions list',
    value: screening ? <ScreeningResult screening={screening} address={address} /> : 'Not screened',
  }
}

function ScreeningResult({
  screening,
  address,
}: {
  screening: ScreeningRecord
  address: string | undefined
}) {
  const { at, list, listDate, listHash, hits, matches } = screening
  return (
    <>
      <strong>{hits === 0 ? 'No hit' : hits === 1 ? 'Possible hit' : `${hits} possible hits`}</strong>
      {matches.map(({ uid, name, programs, born }) => (
        <div key={uid}>
          <bdi translate="no">{name}</bdi>
          <span>{born !== null && `, born ${born}`}</span>
          <span className="soft">{`, entry ${uid}${programs === '' ? '' : `, ${programs}`}`}</span>
        </div>
      ))}
      <div className="soft small">
        <span>
          {list} {listDate}, <code translate="no">{listHash.slice(0, 12)}</code>,{' '}
        </span>
        <DateTime at={at} />
      </div>
      {address !== undefined && screening.address === null && (
        <div className="soft small">{`Names only: the ${address} is not known.`}</div>
      )}
    </>
  )
}
