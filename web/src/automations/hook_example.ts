// A call of a hook as a shell script that works as pasted.
import type { Payload, Verification } from "../api/automations";

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const START = (secret: string, payload: Payload) => [`secret=${quoted(secret)}`, `body=${quoted(JSON.stringify(payload))}`];
const JSON_TYPE = "  -H 'Content-Type: application/json' -d \"$body\"";

export function exampleOf(verify: Verification, url: string, secret: string, payload: Payload): string {
  const call = `curl ${quoted(url)} \\`;
  const lines: Record<Verification, string[]> = {
    token: [call, '  -H "Authorization: Bearer $secret" \\', JSON_TYPE],
    standard_webhooks: [
      "id=msg_$(date +%s%N) time=$(date +%s)",
      "key=$(printf %s \"${secret#whsec_}\" | base64 -d | od -An -vtx1 | tr -d ' \\n')",
      'signature=$(printf %s "$id.$time.$body" | openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | base64)',
      call,
      '  -H "webhook-id: $id" -H "webhook-timestamp: $time" -H "webhook-signature: v1,$signature" \\',
      JSON_TYPE,
    ],
    github: [
      'signature=$(printf %s "$body" | openssl dgst -sha256 -hmac "$secret" | sed "s/.* //")',
      call,
      '  -H "X-Hub-Signature-256: sha256=$signature" -H "X-GitHub-Delivery: $(date +%s%N)" \\',
      JSON_TYPE,
    ],
  };
  return [...START(secret, payload), ...lines[verify]].join("\n");
}
