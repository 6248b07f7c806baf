import { Download } from 'lucide-react'
import { downloadData } from '../../../contract/identity/personalData.ts'
import { Button } from '../../../design/Button.tsx'
import { Panel } from '../../../design/Panel.tsx'
import { toast } from '../../../design/toasts.ts'
import { site } from '../../../site.ts'
import { useAction } from '../../lib/action.ts'
import { call } from '../../lib/api.ts'
import { saveFile } from '../../lib/saveFile.ts'

export function YourData() {
  const { busy, start } = useAction(async () => {
    const data = await call(downloadData, { quiet: false })
    saveFile(
      `${site.slug}-my-data.json`,
      new Blob([JSON.stringify(data, null, 2)], { type: 'application/json' }),
    )
    toast.success('Your data was downloaded.')
  })
  return (
    <Panel title="Your data">
      <p className="small soft">
        Everything we store about you, in one JSON file. It says what it leaves out. We tell you by mail about
        each download.
      </p>
      <div className="row">
        <Button busy={busy} onClick={start} icon={<Download aria-hidden="true" size={16} />}>
          Download My Data
        </Button>
      </div>
    </Panel>
  )
}
