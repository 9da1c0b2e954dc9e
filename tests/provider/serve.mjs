// An OpenID provider for tests: oidc-provider, with the users of a file, which is read at each login. Prints its issuer.
import { execFileSync } from "node:child_process";
import { createPrivateKey } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { pathToFileURL } from "node:url";

const [packages, users, options] = process.argv.slice(2);
const { port = 0, algorithm = "RS256", claims_in_token = false, secret, redirect_uri } = JSON.parse(options);
const { default: Provider } = await import(pathToFileURL(`${packages}/oidc-provider/lib/index.js`));

const server = createServer();
await new Promise((ready) => server.listen(port, "127.0.0.1", ready));
const issuer = `http://127.0.0.1:${server.address().port}`;

// Not by Node's generateKeyPairSync(): if its memory is collected during export(), Node 20 waits for itself.
const kind = algorithm === "RS256" ? ["RSA", "rsa_keygen_bits:2048"] : ["EC", "ec_paramgen_curve:P-256"];
const privateKey = createPrivateKey(
  execFileSync("openssl", ["genpkey", "-algorithm", kind[0], "-pkeyopt", kind[1]], { stdio: ["ignore", "pipe", "ignore"] }));
const client = { client_secret: secret, redirect_uris: [redirect_uri], grant_types: ["authorization_code"], id_token_signed_response_alg: algorithm };
const provider = new Provider(issuer, {
  clients: [{ client_id: "parley", ...client }, { client_id: "other", ...client }],
  jwks: { keys: [{ ...privateKey.export({ format: "jwk" }), use: "sig", alg: algorithm }] },
  cookies: { keys: ["of a test"] },
  claims: { openid: ["sub"], profile: ["name", "preferred_username"], email: ["email"], groups: ["groups"] },
  conformIdTokenClaims: !claims_in_token,
  pkce: { required: () => true },
  features: { devInteractions: { enabled: true } },
  findAccount: (_, id) => {
    const known = JSON.parse(readFileSync(users, "utf-8"))[id];
    return known && { accountId: id, claims: () => ({ sub: id, ...known }) };
  },
  // All users agree to everything.
  loadExistingGrant: async (context) => {
    const { provider, client, session } = context.oidc;
    const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
    grant.addOIDCScope("openid profile email groups");
    await grant.save();
    return grant;
  },
});
server.on("request", provider.callback());
console.log(issuer);
