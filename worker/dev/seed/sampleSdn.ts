/** A sample in the format of OFAC's SDN.XML. Every name, number and address in it is invented. `npm start -- --busy` has a person of the last alias. */
export const SAMPLE_SDN = `<?xml version="1.0" standalone="yes"?>
<sdnList xmlns="https://sanctionslistservice.ofac.treas.gov/api/PublicationPreview/exports/XML">
  <publshInformation>
    <Publish_Date>11/20/2026</Publish_Date>
    <Record_Count>3</Record_Count>
  </publshInformation>
  <sdnEntry>
    <uid>90001</uid>
    <firstName>Vasko Emil</firstName>
    <lastName>SAMPLEROV</lastName>
    <sdnType>Individual</sdnType>
    <programList>
      <program>SAMPLE-1</program>
      <program>SAMPLE-2</program>
    </programList>
    <idList>
      <id>
        <uid>91001</uid>
        <idType>Digital Currency Address - XBT</idType>
        <idNumber>bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3</idNumber>
      </id>
      <id>
        <uid>91002</uid>
        <idType>Passport</idType>
        <idNumber>SAMPLE-0001</idNumber>
        <idCountry>Nowhere</idCountry>
      </id>
    </idList>
    <akaList>
      <aka>
        <uid>92001</uid>
        <type>a.k.a.</type>
        <category>strong</category>
        <firstName>Basil</firstName>
        <lastName>O&apos;SAMPLE</lastName>
      </aka>
    </akaList>
    <dateOfBirthList>
      <dateOfBirthItem>
        <uid>93001</uid>
        <dateOfBirth>01 Apr 1961</dateOfBirth>
        <mainEntry>true</mainEntry>
      </dateOfBirthItem>
    </dateOfBirthList>
  </sdnEntry>
  <sdnEntry>
    <uid>90002</uid>
    <lastName>SAMPLE SHIPPING &amp; TRADING</lastName>
    <sdnType>Entity</sdnType>
    <programList>
      <program>SAMPLE-1</program>
    </programList>
    <idList>
      <id>
        <uid>91003</uid>
        <idType>Digital Currency Address - USDT</idType>
        <idNumber>0x00000000000000000000000000000000005A3B1E</idNumber>
      </id>
    </idList>
  </sdnEntry>
  <sdnEntry>
    <uid>90003</uid>
    <firstName>Maria</firstName>
    <lastName>SAMPLE</lastName>
    <sdnType>Individual</sdnType>
    <programList>
      <program>SAMPLE-2</program>
    </programList>
    <akaList>
      <aka>
        <uid>92002</uid>
        <type>a.k.a.</type>
        <category>weak</category>
        <firstName>Yuri</firstName>
        <lastName>PRYKLAD</lastName>
      </aka>
    </akaList>
  </sdnEntry>
</sdnList>
`
