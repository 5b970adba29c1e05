/**
 * XMP metadata of a PDF that declares the e-invoice inside it: Factur-X, which is the same as
 * ZUGFeRD.
 *
 * @source Factur-X 1.0, 6: the XMP properties and their extension schema
 */

/** File name of the embedded XML. */
export const facturXName = "factur-x.xml";

const namespace = "urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#";

const properties = {
  DocumentType: ["INVOICE", "The type of the hybrid document"],
  DocumentFileName: [facturXName, "The name of the embedded XML document"],
  Version: ["1.0", "The version of the standard of the embedded XML document"],
  ConformanceLevel: ["EN 16931", "The conformance level of the embedded XML document"],
} as const satisfies Record<string, readonly [value: string, description: string]>;

/** RDF descriptions to add to the XMP metadata of the PDF. */
export function facturXMetadata(): string {
  const elements = Object.entries(properties).map(
    ([name, [value]]) => `    <fx:${name}>${value}</fx:${name}>`,
  );
  const described = Object.entries(properties).map(
    ([name, [, description]]) => `              <rdf:li rdf:parseType="Resource">
                <pdfaProperty:name>${name}</pdfaProperty:name>
                <pdfaProperty:valueType>Text</pdfaProperty:valueType>
                <pdfaProperty:category>external</pdfaProperty:category>
                <pdfaProperty:description>${description}</pdfaProperty:description>
              </rdf:li>`,
  );
  return `
  <rdf:Description rdf:about="" xmlns:fx="${namespace}">
${elements.join("\n")}
  </rdf:Description>
  <rdf:Description rdf:about=""
      xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/"
      xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#"
      xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#">
    <pdfaExtension:schemas>
      <rdf:Bag>
        <rdf:li rdf:parseType="Resource">
          <pdfaSchema:schema>Factur-X PDFA Extension Schema</pdfaSchema:schema>
          <pdfaSchema:namespaceURI>${namespace}</pdfaSchema:namespaceURI>
          <pdfaSchema:prefix>fx</pdfaSchema:prefix>
          <pdfaSchema:property>
            <rdf:Seq>
${described.join("\n")}
            </rdf:Seq>
          </pdfaSchema:property>
        </rdf:li>
      </rdf:Bag>
    </pdfaExtension:schemas>
  </rdf:Description>
`;
}
