import { DOCUMENT_MISSING, KYC_DOCUMENTS, submitKyc } from '../../contract/kyc.ts'
import { FileInput } from '../../design/FileInput.tsx'
import { Form } from '../../design/Form.tsx'
import { Notice } from '../../design/Notice.tsx'
import { Panel } from '../../design/Panel.tsx'
import { SelectField } from '../../design/SelectField.tsx'
import { site } from '../../site.ts'
import { useEndpointForm } from '../lib/endpointForm.ts'
import { useFileField } from '../lib/fileField.ts'

const isSimulated = site.mode === 'simulated'

/** Sends a picture of an identity document. */
export function KycForm({ onSent }: { onSent: () => void }) {
  const image = useFileField('image', DOCUMENT_MISSING)
  const { shell, field } = useEndpointForm({
    endpoint: submitKyc,
    // There is one method to choose, so it is chosen already.
    defaultValues: { document: KYC_DOCUMENTS[0] },
    file: image,
    onDone: onSent,
  })
  return (
    <Panel title="Verify your identity">
      {isSimulated && (
        <Notice tone="caution" title="Simulated. Do not upload a real document.">
          Any sample picture will do: nothing here checks who you are until the operator goes live.
        </Notice>
      )}
      <Form {...shell} submitLabel="Submit for Review">
        <SelectField
          label="Verification method"
          options={KYC_DOCUMENTS.map((document) => ({ value: document, label: document }))}
          {...field('document')}
        />
        <FileInput
          label={isSimulated ? 'Sample picture' : 'Picture of your passport'}
          hint={
            isSimulated
              ? 'One file.'
              : 'One file: the page with your photograph, all four corners in the picture.'
          }
          {...image.input}
        />
      </Form>
    </Panel>
  )
}
