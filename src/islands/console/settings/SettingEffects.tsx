import type { SettingKey } from '../../../contract/console/settingList.ts'
import { EFFECT_CHANGES, previewSettings, type SettingEffect } from '../../../contract/console/settings.ts'
import type { SettingsInput } from '../../../contract/console/settingValues.ts'
import { DateTime } from '../../../design/DateTime.tsx'
import { Facts } from '../../../design/Facts.tsx'
import { Skeleton } from '../../../design/Skeleton.tsx'
import { call } from '../../lib/api.ts'
import { useResource } from '../../lib/resource.ts'

interface SettingEffectsProps {
  settings: SettingsInput<SettingKey>
  /** The time of a proposal, so that both administrators see the same figures. Default: now. */
  until?: string
}

/** The effect that changed settings would have had in the last days. Empty for settings that are no weight, limit or ceiling. */
export function SettingEffects({ settings, until }: SettingEffectsProps) {
  const effects = useResource(`setting effects ${JSON.stringify(settings)} ${until ?? ''}`, () =>
    call(previewSettings, { body: { settings, ...(until !== undefined && { until }) } }),
  )
  if (effects.state === 'failed') return <p className="soft">{effects.msg}</p>
  if (effects.state === 'loading') return <Skeleton width="long" />
  if (effects.data.length === 0) return null
  return (
    <section aria-label="What it would have done" className="stack">
      <h4>What it would have done</h4>
      {effects.data.map((effect) => (
        <Effect key={`${effect.setting} ${effect.of}`} effect={effect} />
      ))}
    </section>
  )
}

const CHANGE_WORDS: Record<SettingEffect['cases'][number]['change'], string> = {
  added: 'New',
  removed: 'No longer',
  same: 'As before',
  level: 'With another level',
}

function Effect({ effect }: { effect: SettingEffect }) {
  const { of, total, isWhole, before, after, cases, from, to } = effect
  const span = (
    <span>
      from <DateTime at={from} /> to <DateTime at={to} />
    </span>
  )
  if (total === 0)
    return (
      <p className="soft">
        <span>{`No ${of} to compare with, `}</span>
        {span}.
      </p>
    )
  return (
    <>
      <p>
        <span>
          {`${after} of ${isWhole ? '' : 'the newest '}${total} ${of} would have ${describeConsequence(effect)}, `}
        </span>
        {span}. <span>{`With the present value: ${before}.`}</span>
      </p>
      {cases.length > 0 && (
        <Facts
          facts={EFFECT_CHANGES.map((change) => {
            const found = cases.filter((row) => row.change === change)
            return (
              found.length > 0 && { label: CHANGE_WORDS[change], value: <CaseLinks of={of} cases={found} /> }
            )
          })}
        />
      )}
    </>
  )
}

/** The newest cases, up to ten. */
function CaseLinks({ of, cases }: Pick<SettingEffect, 'of' | 'cases'>) {
  return (
    <span>
      {cases.map(({ _id, ref }, place) => (
        <span key={_id}>
          <span>{place > 0 && ', '}</span>
          <a translate="no" href={`/operator/${of}?status=&open=${_id}`}>
            {ref}
          </a>
        </span>
      ))}
    </span>
  )
}

function describeConsequence({ setting }: SettingEffect): string {
  if (setting.startsWith('risk.')) return 'had a high risk'
  return setting === 'dailyCeilings.credits' || setting === 'dailyCeilings.payouts'
    ? 'had to wait for the next day'
    : 'needed a second operator'
}
