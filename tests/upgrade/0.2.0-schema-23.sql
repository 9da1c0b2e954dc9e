-- A data directory of 0.2.0
-- token plp_yRPeeOb1HLmCzudKCx5Zgr2v73tpeUsk0qApfF
-- file client-token 706c635f3867566a50667979744e6c536c4d6f57574d494c4b33304f6f43544956715054317238307a37
-- said /me {"object": "user", "id": "usr_0VbL0tbYxR29X2ZceQUsF6pupz", "username": "ana", "display_name": "Ana \u00dcnal", "role": "member", "disabled": false, "created_at": "2026-11-18T15:12:14.692Z", "last_login_at": null, "limits": {"chat": null, "general": null, "automation": null}, "budget": {"output_tokens_per_day": null}, "retention_days": null, "second_factor": false}
-- said /tokens {"object": "list", "data": [{"object": "api_token", "id": "tok_0VbL0tbg9Q2tS6QqUpo6nRgzMq", "name": "from above", "kind": "personal", "scopes": ["chat:read", "chat:write", "account", "automation:read", "automation:write"], "hint": "plp_\u2026ApfF", "created_at": "2026-11-18T15:12:14.700Z", "created_by": "usr_0VbL0tYQUr5u6aj0Lg3dMlxsXc", "last_used_at": "2026-11-18T15:12:14.713Z", "expires_at": null, "limits": {"chat": null, "general": null, "automation": null}}], "has_more": false, "next_cursor": null}
-- said /chat/sessions?limit=100 {"object": "list", "data": [{"object": "chat.session", "id": "ses_0VbL0tfmbhwA7cMygISAcd5WFj", "title": "daily", "instructions": null, "model": null, "archived": false, "message_count": 2, "active_run_ids": [], "created_at": "2026-11-18T15:12:14.954Z", "updated_at": "2026-11-18T15:12:14.976Z", "last_message_at": "2026-11-18T15:12:14.976Z", "automation_id": "aut_0VbL0tfValxGr08OoyDfs3zuYG", "keep": false, "metadata": {}}, {"object": "chat.session", "id": "ses_0VbL0teXBoCINB2SZPTMTM9g1n", "title": "Kept", "instructions": null, "model": null, "archived": false, "message_count": 2, "active_run_ids": [], "created_at": "2026-11-18T15:12:14.877Z", "updated_at": "2026-11-18T15:12:14.920Z", "last_message_at": "2026-11-18T15:12:14.901Z", "automation_id": null, "keep": true, "metadata": {}}, {"object": "chat.session", "id": "ses_0VbL0te5jLB02lfM2MVsJIy9Ui", "title": "{words:9} {fail_after:3}", "instructions": null, "model": null, "archived": false, "message_count": 2, "active_run_ids": [], "created_at": "2026-11-18T15:12:14.849Z", "updated_at": "2026-11-18T15:12:14.863Z", "last_message_at": "2026-11-18T15:12:14.863Z", "automation_id": null, "keep": false, "metadata": {}}, {"object": "chat.session", "id": "ses_0VbL0tbt2FUfuxSdvzSx7SwETb", "title": "Why is the sky blue? '--; \u2028 \ud83d\ude00", "instructions": null, "model": null, "archived": false, "message_count": 6, "active_run_ids": [], "created_at": "2026-11-18T15:12:14.713Z", "updated_at": "2026-11-18T15:12:14.833Z", "last_message_at": "2026-11-18T15:12:14.833Z", "automation_id": null, "keep": false, "metadata": {}}], "has_more": false, "next_cursor": null}
-- said /chat/sessions/ses_0VbL0tfmbhwA7cMygISAcd5WFj/messages?limit=100 {"object": "list", "data": [{"object": "chat.message", "id": "msg_0VbL0tfmz8EKb6evhDkEMjVvaa", "session_id": "ses_0VbL0tfmbhwA7cMygISAcd5WFj", "parent_id": null, "role": "user", "content": [{"type": "text", "text": "hello"}], "created_at": "2026-11-18T15:12:14.954Z", "metadata": {}, "sibling_ids": ["msg_0VbL0tfmz8EKb6evhDkEMjVvaa"]}, {"object": "chat.message", "id": "msg_0VbL0tfmiOaxsBSbBul9TXKTNw", "session_id": "ses_0VbL0tfmbhwA7cMygISAcd5WFj", "parent_id": "msg_0VbL0tfmz8EKb6evhDkEMjVvaa", "role": "assistant", "content": [{"type": "text", "text": "hello"}], "stop_reason": "end_turn", "model": "scripted", "run_id": "run_0VbL0tfmvqgdCAWINN7xlVn7tD", "created_at": "2026-11-18T15:12:14.954Z", "metadata": {}, "sibling_ids": ["msg_0VbL0tfmiOaxsBSbBul9TXKTNw"]}], "has_more": false, "next_cursor": null}
-- said /chat/sessions/ses_0VbL0teXBoCINB2SZPTMTM9g1n/messages?limit=100 {"object": "list", "data": [{"object": "chat.message", "id": "msg_0VbL0teXZamNSTrOZUXre8oSQ1", "session_id": "ses_0VbL0teXBoCINB2SZPTMTM9g1n", "parent_id": null, "role": "user", "content": [{"type": "text", "text": "A second session"}], "created_at": "2026-11-18T15:12:14.877Z", "metadata": {"k": "v"}, "sibling_ids": ["msg_0VbL0teXZamNSTrOZUXre8oSQ1"]}, {"object": "chat.message", "id": "msg_0VbL0teXZl6gomRJnSDr9doeUQ", "session_id": "ses_0VbL0teXBoCINB2SZPTMTM9g1n", "parent_id": "msg_0VbL0teXZamNSTrOZUXre8oSQ1", "role": "assistant", "content": [{"type": "text", "text": "A second session"}], "stop_reason": "end_turn", "model": "scripted", "run_id": "run_0VbL0teXLezYBlxczvDuyBHpcF", "created_at": "2026-11-18T15:12:14.877Z", "metadata": {}, "sibling_ids": ["msg_0VbL0teXZl6gomRJnSDr9doeUQ"]}], "has_more": false, "next_cursor": null}
-- said /chat/sessions/ses_0VbL0te5jLB02lfM2MVsJIy9Ui/messages?limit=100 {"object": "list", "data": [{"object": "chat.message", "id": "msg_0VbL0te5y8ttADUkQKZJuR8Tyt", "session_id": "ses_0VbL0te5jLB02lfM2MVsJIy9Ui", "parent_id": null, "role": "user", "content": [{"type": "text", "text": "{words:9} {fail_after:3}"}], "created_at": "2026-11-18T15:12:14.849Z", "metadata": {}, "sibling_ids": ["msg_0VbL0te5y8ttADUkQKZJuR8Tyt"]}, {"object": "chat.message", "id": "msg_0VbL0te5jiTV3nzI2GXSL9c4FK", "session_id": "ses_0VbL0te5jLB02lfM2MVsJIy9Ui", "parent_id": "msg_0VbL0te5y8ttADUkQKZJuR8Tyt", "role": "assistant", "content": [{"type": "text", "text": "w1 w2 w3"}], "stop_reason": "error", "model": "scripted", "run_id": "run_0VbL0te5L7QWVY0zI57liYhJey", "created_at": "2026-11-18T15:12:14.849Z", "metadata": {}, "sibling_ids": ["msg_0VbL0te5jiTV3nzI2GXSL9c4FK"]}], "has_more": false, "next_cursor": null}
-- said /chat/sessions/ses_0VbL0tbt2FUfuxSdvzSx7SwETb/messages?limit=100 {"object": "list", "data": [{"object": "chat.message", "id": "msg_0VbL0tbtIYslyAuyfi7GSp9CuI", "session_id": "ses_0VbL0tbt2FUfuxSdvzSx7SwETb", "parent_id": null, "role": "user", "content": [{"type": "text", "text": "Why is the sky blue?\n'--; \u2028 \ud83d\ude00"}], "created_at": "2026-11-18T15:12:14.713Z", "metadata": {}, "sibling_ids": ["msg_0VbL0tbtIYslyAuyfi7GSp9CuI"]}, {"object": "chat.message", "id": "msg_0VbL0tbtJPluPlBAg5yRyt2enr", "session_id": "ses_0VbL0tbt2FUfuxSdvzSx7SwETb", "parent_id": "msg_0VbL0tbtIYslyAuyfi7GSp9CuI", "role": "assistant", "content": [{"type": "text", "text": "Why is the sky blue?\n'--; \u2028 \ud83d\ude00"}], "stop_reason": "end_turn", "model": "scripted", "run_id": "run_0VbL0tbtAW7r8upDaocBaVC2TO", "created_at": "2026-11-18T15:12:14.713Z", "metadata": {}, "sibling_ids": ["msg_0VbL0tbtJPluPlBAg5yRyt2enr"]}, {"object": "chat.message", "id": "msg_0VbL0tdYpQcpKyLuEOksnVADqt", "session_id": "ses_0VbL0tbt2FUfuxSdvzSx7SwETb", "parent_id": "msg_0VbL0tbtJPluPlBAg5yRyt2enr", "role": "user", "content": [{"type": "text", "text": "Again, please"}], "created_at": "2026-11-18T15:12:14.816Z", "metadata": {}, "sibling_ids": ["msg_0VbL0tcuX7kkoeexsYz0TtFhbq", "msg_0VbL0tdYpQcpKyLuEOksnVADqt"]}, {"object": "chat.message", "id": "msg_0VbL0tdYRdJe34Bvwzbw0cW9oQ", "session_id": "ses_0VbL0tbt2FUfuxSdvzSx7SwETb", "parent_id": "msg_0VbL0tdYpQcpKyLuEOksnVADqt", "role": "assistant", "content": [{"type": "text", "text": "Again, please"}], "stop_reason": "end_turn", "model": "scripted", "run_id": "run_0VbL0tdYatLGzvDq6wKPYkvaom", "created_at": "2026-11-18T15:12:14.816Z", "metadata": {}, "sibling_ids": ["msg_0VbL0tdYRdJe34Bvwzbw0cW9oQ"]}], "has_more": false, "next_cursor": null}
-- said /chat/runs?limit=100 {"object": "list", "data": [{"object": "chat.run", "id": "run_0VbL0tfmvqgdCAWINN7xlVn7tD", "status": "completed", "session_id": "ses_0VbL0tfmbhwA7cMygISAcd5WFj", "automation_run_id": "aru_0VbL0tfkjkvU5gamb6ks96VcF2", "model": "scripted", "queue_position": null, "created_at": "2026-11-18T15:12:14.954Z", "started_at": "2026-11-18T15:12:14.954Z", "completed_at": "2026-11-18T15:12:14.976Z", "user_message": {"object": "chat.message", "id": "msg_0VbL0tfmz8EKb6evhDkEMjVvaa", "session_id": "ses_0VbL0tfmbhwA7cMygISAcd5WFj", "parent_id": null, "role": "user", "content": [{"type": "text", "text": "hello"}], "created_at": "2026-11-18T15:12:14.954Z", "metadata": {}}, "message": {"object": "chat.message", "id": "msg_0VbL0tfmiOaxsBSbBul9TXKTNw", "session_id": "ses_0VbL0tfmbhwA7cMygISAcd5WFj", "parent_id": "msg_0VbL0tfmz8EKb6evhDkEMjVvaa", "role": "assistant", "content": [{"type": "text", "text": "hello"}], "stop_reason": "end_turn", "model": "scripted", "run_id": "run_0VbL0tfmvqgdCAWINN7xlVn7tD", "created_at": "2026-11-18T15:12:14.954Z", "metadata": {}}, "output": null, "usage": {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2, "cached_input_tokens": 0}, "error": null, "metadata": {}}, {"object": "chat.run", "id": "run_0VbL0teXLezYBlxczvDuyBHpcF", "status": "completed", "session_id": "ses_0VbL0teXBoCINB2SZPTMTM9g1n", "automation_run_id": null, "model": "scripted", "queue_position": null, "created_at": "2026-11-18T15:12:14.877Z", "started_at": "2026-11-18T15:12:14.877Z", "completed_at": "2026-11-18T15:12:14.901Z", "user_message": {"object": "chat.message", "id": "msg_0VbL0teXZamNSTrOZUXre8oSQ1", "session_id": "ses_0VbL0teXBoCINB2SZPTMTM9g1n", "parent_id": null, "role": "user", "content": [{"type": "text", "text": "A second session"}], "created_at": "2026-11-18T15:12:14.877Z", "metadata": {"k": "v"}}, "message": {"object": "chat.message", "id": "msg_0VbL0teXZl6gomRJnSDr9doeUQ", "session_id": "ses_0VbL0teXBoCINB2SZPTMTM9g1n", "parent_id": "msg_0VbL0teXZamNSTrOZUXre8oSQ1", "role": "assistant", "content": [{"type": "text", "text": "A second session"}], "stop_reason": "end_turn", "model": "scripted", "run_id": "run_0VbL0teXLezYBlxczvDuyBHpcF", "created_at": "2026-11-18T15:12:14.877Z", "metadata": {}}, "output": null, "usage": {"input_tokens": 3, "output_tokens": 3, "total_tokens": 6, "cached_input_tokens": 0}, "error": null, "metadata": {"k": "v"}}, {"object": "chat.run", "id": "run_0VbL0te5L7QWVY0zI57liYhJey", "status": "failed", "session_id": "ses_0VbL0te5jLB02lfM2MVsJIy9Ui", "automation_run_id": null, "model": "scripted", "queue_position": null, "created_at": "2026-11-18T15:12:14.849Z", "started_at": "2026-11-18T15:12:14.849Z", "completed_at": "2026-11-18T15:12:14.863Z", "user_message": {"object": "chat.message", "id": "msg_0VbL0te5y8ttADUkQKZJuR8Tyt", "session_id": "ses_0VbL0te5jLB02lfM2MVsJIy9Ui", "parent_id": null, "role": "user", "content": [{"type": "text", "text": "{words:9} {fail_after:3}"}], "created_at": "2026-11-18T15:12:14.849Z", "metadata": {}}, "message": {"object": "chat.message", "id": "msg_0VbL0te5jiTV3nzI2GXSL9c4FK", "session_id": "ses_0VbL0te5jLB02lfM2MVsJIy9Ui", "parent_id": "msg_0VbL0te5y8ttADUkQKZJuR8Tyt", "role": "assistant", "content": [{"type": "text", "text": "w1 w2 w3"}], "stop_reason": "error", "model": "scripted", "run_id": "run_0VbL0te5L7QWVY0zI57liYhJey", "created_at": "2026-11-18T15:12:14.849Z", "metadata": {}}, "output": null, "usage": {"input_tokens": 2, "output_tokens": 3, "total_tokens": 5, "cached_input_tokens": 0}, "error": {"type": "/problems/upstream_error", "title": "The model's server failed", "status": 502, "detail": "The scripted model failed, as the message requested", "code": "upstream_error"}, "metadata": {}}, {"object": "chat.run", "id": "run_0VbL0tdYatLGzvDq6wKPYkvaom", "status": "completed", "session_id": "ses_0VbL0tbt2FUfuxSdvzSx7SwETb", "automation_run_id": null, "model": "scripted", "queue_position": null, "created_at": "2026-11-18T15:12:14.816Z", "started_at": "2026-11-18T15:12:14.816Z", "completed_at": "2026-11-18T15:12:14.833Z", "user_message": {"object": "chat.message", "id": "msg_0VbL0tdYpQcpKyLuEOksnVADqt", "session_id": "ses_0VbL0tbt2FUfuxSdvzSx7SwETb", "parent_id": "msg_0VbL0tbtJPluPlBAg5yRyt2enr", "role": "user", "content": [{"type": "text", "text": "Again, please"}], "created_at": "2026-11-18T15:12:14.816Z", "metadata": {}}, "message": {"object": "chat.message", "id": "msg_0VbL0tdYRdJe34Bvwzbw0cW9oQ", "session_id": "ses_0VbL0tbt2FUfuxSdvzSx7SwETb", "parent_id": "msg_0VbL0tdYpQcpKyLuEOksnVADqt", "role": "assistant", "content": [{"type": "text", "text": "Again, please"}], "stop_reason": "end_turn", "model": "scripted", "run_id": "run_0VbL0tdYatLGzvDq6wKPYkvaom", "created_at": "2026-11-18T15:12:14.816Z", "metadata": {}}, "output": null, "usage": {"input_tokens": 18, "output_tokens": 2, "total_tokens": 20, "cached_input_tokens": 0}, "error": null, "metadata": {}}, {"object": "chat.run", "id": "run_0VbL0tcuT0401G1XF6yta58xq3", "status": "completed", "session_id": "ses_0VbL0tbt2FUfuxSdvzSx7SwETb", "automation_run_id": null, "model": "scripted", "queue_position": null, "created_at": "2026-11-18T15:12:14.776Z", "started_at": "2026-11-18T15:12:14.776Z", "completed_at": "2026-11-18T15:12:14.804Z", "user_message": {"object": "chat.message", "id": "msg_0VbL0tcuX7kkoeexsYz0TtFhbq", "session_id": "ses_0VbL0tbt2FUfuxSdvzSx7SwETb", "parent_id": "msg_0VbL0tbtJPluPlBAg5yRyt2enr", "role": "user", "content": [{"type": "text", "text": "{words:200}"}], "created_at": "2026-11-18T15:12:14.776Z", "metadata": {}}, "message": {"object": "chat.message", "id": "msg_0VbL0tcuhHG0HuVlNukpl3nzgb", "session_id": "ses_0VbL0tbt2FUfuxSdvzSx7SwETb", "parent_id": "msg_0VbL0tcuX7kkoeexsYz0TtFhbq", "role": "assistant", "content": [{"type": "text", "text": "w1 w2 w3 w4 w5 w6 w7 w8 w9 w10 w11 w12 w13 w14 w15 w16 w17 w18 w19 w20 w21 w22 w23 w24 w25 w26 w27 w28 w29 w30 w31 w32 w33 w34 w35 w36 w37 w38 w39 w40 w41 w42 w43 w44 w45 w46 w47 w48 w49 w50 w51 w52 w53 w54 w55 w56 w57 w58 w59 w60 w61 w62 w63 w64 w65 w66 w67 w68 w69 w70 w71 w72 w73 w74 w75 w76 w77 w78 w79 w80 w81 w82 w83 w84 w85 w86 w87 w88 w89 w90 w91 w92 w93 w94 w95 w96 w97 w98 w99 w100 w101 w102 w103 w104 w105 w106 w107 w108 w109 w110 w111 w112 w113 w114 w115 w116 w117 w118 w119 w120 w121 w122 w123 w124 w125 w126 w127 w128 w129 w130 w131 w132 w133 w134 w135 w136 w137 w138 w139 w140 w141 w142 w143 w144 w145 w146 w147 w148 w149 w150 w151 w152 w153 w154 w155 w156 w157 w158 w159 w160 w161 w162 w163 w164 w165 w166 w167 w168 w169 w170 w171 w172 w173 w174 w175 w176 w177 w178 w179 w180 w181 w182 w183 w184 w185 w186 w187 w188 w189 w190 w191 w192 w193 w194 w195 w196 w197 w198 w199 w200"}], "stop_reason": "end_turn", "model": "scripted", "run_id": "run_0VbL0tcuT0401G1XF6yta58xq3", "created_at": "2026-11-18T15:12:14.776Z", "metadata": {}}, "output": null, "usage": {"input_tokens": 17, "output_tokens": 200, "total_tokens": 217, "cached_input_tokens": 0}, "error": null, "metadata": {}}, {"object": "chat.run", "id": "run_0VbL0tbtAW7r8upDaocBaVC2TO", "status": "completed", "session_id": "ses_0VbL0tbt2FUfuxSdvzSx7SwETb", "automation_run_id": null, "model": "scripted", "queue_position": null, "created_at": "2026-11-18T15:12:14.713Z", "started_at": "2026-11-18T15:12:14.713Z", "completed_at": "2026-11-18T15:12:14.764Z", "user_message": {"object": "chat.message", "id": "msg_0VbL0tbtIYslyAuyfi7GSp9CuI", "session_id": "ses_0VbL0tbt2FUfuxSdvzSx7SwETb", "parent_id": null, "role": "user", "content": [{"type": "text", "text": "Why is the sky blue?\n'--; \u2028 \ud83d\ude00"}], "created_at": "2026-11-18T15:12:14.713Z", "metadata": {}}, "message": {"object": "chat.message", "id": "msg_0VbL0tbtJPluPlBAg5yRyt2enr", "session_id": "ses_0VbL0tbt2FUfuxSdvzSx7SwETb", "parent_id": "msg_0VbL0tbtIYslyAuyfi7GSp9CuI", "role": "assistant", "content": [{"type": "text", "text": "Why is the sky blue?\n'--; \u2028 \ud83d\ude00"}], "stop_reason": "end_turn", "model": "scripted", "run_id": "run_0VbL0tbtAW7r8upDaocBaVC2TO", "created_at": "2026-11-18T15:12:14.713Z", "metadata": {}}, "output": null, "usage": {"input_tokens": 8, "output_tokens": 8, "total_tokens": 16, "cached_input_tokens": 0}, "error": null, "metadata": {}}], "has_more": false, "next_cursor": null}
-- said /automations {"object": "list", "data": [{"object": "automation", "id": "aut_0VbL0tfValxGr08OoyDfs3zuYG", "name": "daily", "message": "hello", "variables": [], "instructions": null, "model": null, "max_output_tokens": null, "temperature": null, "top_p": null, "seed": null, "stop": null, "response_format": null, "session": {"policy": "new", "keep": 30, "session_id": null}, "trigger": null, "overlap": "queue", "catch_up": "latest", "catch_up_window_s": 86400, "retry": {"max_attempts": 3, "backoff_s": 30}, "timeout_s": 300, "pause_after_failures": 10, "output_tokens_per_day": null, "paused": false, "metadata": {}, "revision": 1, "state": "active", "pause_reason": null, "next_at": null, "hook": null, "last_run": "aru_0VbL0tfkjkvU5gamb6ks96VcF2", "consecutive_failures": 0, "created_at": "2026-11-18T15:12:14.937Z", "updated_at": "2026-11-18T15:12:14.937Z"}], "has_more": false, "next_cursor": null}
-- said /automations/aut_0VbL0tfValxGr08OoyDfs3zuYG/runs {"object": "list", "data": [{"object": "automation.run", "id": "aru_0VbL0tfkjkvU5gamb6ks96VcF2", "automation_id": "aut_0VbL0tfValxGr08OoyDfs3zuYG", "revision": 1, "trigger": "manual", "key": "key_0VbL0tfkQqJFqHCC7z41CxSjJs", "scheduled_for": "2026-11-18T15:12:14.952Z", "status": "completed", "skip_reason": null, "batch_id": null, "variables": {}, "message": "hello", "session_id": "ses_0VbL0tfmbhwA7cMygISAcd5WFj", "run_id": "run_0VbL0tfmvqgdCAWINN7xlVn7tD", "attempts": [{"number": 1, "run_id": "run_0VbL0tfmvqgdCAWINN7xlVn7tD", "status": "completed", "error": null, "started_at": "2026-11-18T15:12:14.954Z", "completed_at": "2026-11-18T15:12:14.976Z"}], "next_attempt_at": null, "usage": {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2, "cached_input_tokens": 0}, "error": null, "missed_count": null, "created_at": "2026-11-18T15:12:14.952Z", "started_at": "2026-11-18T15:12:14.954Z", "completed_at": "2026-11-18T15:12:14.976Z"}], "has_more": false, "next_cursor": null}
-- said /webhooks {"object": "list", "data": [{"object": "webhook", "id": "whk_0VbL0tgkOkFkhJ73etFuEADDyq", "url": "https://example.com/hear", "event_types": ["automation.*"], "payload": "thin", "ordered": false, "description": null, "metadata": {}, "state": "disabled", "disabled_reason": "user", "secret_hint": "whsec_\u2026Oa4=", "last_success_at": null, "last_failure_at": null, "cursor": 22, "created_at": "2026-11-18T15:12:15.014Z", "updated_at": "2026-11-18T15:12:15.037Z"}], "has_more": false, "next_cursor": null}
-- said /me/usage {"object": "list", "data": [{"object": "usage", "date": "2026-11-18", "user_id": "usr_0VbL0tbYxR29X2ZceQUsF6pupz", "model": "scripted", "requests": 6, "input_tokens": 49, "output_tokens": 217, "cached_input_tokens": 0}], "has_more": false, "next_cursor": null}
-- said /events?limit=100 {"object": "list", "data": [{"object": "event", "id": "evt_0VbL0tbgSNzlm9lPlm3CVUFaYt", "sequence_number": 1, "type": "token.created", "timestamp": "2026-11-18T15:12:14.700Z", "test": false, "cause": {"automation_id": null, "automation_run_id": null, "depth": 0, "request_id": "req_0VbL0tbfQbir1sfGuXJMlB9vVt"}, "data": {"object": "api_token", "id": "tok_0VbL0tbg9Q2tS6QqUpo6nRgzMq"}}, {"object": "event", "id": "evt_0VbL0tbtCDGHrK0XRksIcSm2sf", "sequence_number": 2, "type": "chat.session.created", "timestamp": "2026-11-18T15:12:14.713Z", "test": false, "cause": {"automation_id": null, "automation_run_id": null, "depth": 0, "request_id": "req_0VbL0tbtEiqkANV94unu3ASuVr"}, "data": {"object": "chat.session", "id": "ses_0VbL0tbt2FUfuxSdvzSx7SwETb"}}, {"object": "event", "id": "evt_0VbL0tbtw3FvoaAkk1cx7XCSDR", "sequence_number": 3, "type": "chat.run.created", "timestamp": "2026-11-18T15:12:14.713Z", "test": false, "cause": {"automation_id": null, "automation_run_id": null, "depth": 0, "request_id": "req_0VbL0tbtEiqkANV94unu3ASuVr"}, "data": {"object": "chat.run", "id": "run_0VbL0tbtAW7r8upDaocBaVC2TO", "session_id": "ses_0VbL0tbt2FUfuxSdvzSx7SwETb", "status": "queued"}}, {"object": "event", "id": "evt_0VbL0tciZGMNk06CIZ9psMdjRm", "sequence_number": 4, "type": "chat.run.completed", "timestamp": "2026-11-18T15:12:14.764Z", "test": false, "cause": {"automation_id": null, "automation_run_id": null, "depth": 0, "request_id": "req_0VbL0tbtEiqkANV94unu3ASuVr"}, "data": {"object": "chat.run", "id": "run_0VbL0tbtAW7r8upDaocBaVC2TO", "session_id": "ses_0VbL0tbt2FUfuxSdvzSx7SwETb", "status": "completed"}}, {"object": "event", "id": "evt_0VbL0tcubNPq5aTJ31mlSwYZx6", "sequence_number": 5, "type": "chat.run.created", "timestamp": "2026-11-18T15:12:14.776Z", "test": false, "cause": {"automation_id": null, "automation_run_id": null, "depth": 0, "request_id": "req_0VbL0tcsfaoWvP0dUAbR5WQsdG"}, "data": {"object": "chat.run", "id": "run_0VbL0tcuT0401G1XF6yta58xq3", "session_id": "ses_0VbL0tbt2FUfuxSdvzSx7SwETb", "status": "queued"}}, {"object": "event", "id": "evt_0VbL0tdMP3pqR3OuIg1f1zrH7W", "sequence_number": 6, "type": "chat.run.completed", "timestamp": "2026-11-18T15:12:14.804Z", "test": false, "cause": {"automation_id": null, "automation_run_id": null, "depth": 0, "request_id": "req_0VbL0tcsfaoWvP0dUAbR5WQsdG"}, "data": {"object": "chat.run", "id": "run_0VbL0tcuT0401G1XF6yta58xq3", "session_id": "ses_0VbL0tbt2FUfuxSdvzSx7SwETb", "status": "completed"}}, {"object": "event", "id": "evt_0VbL0tdYOY0d9nG8IfmvovatSq", "sequence_number": 7, "type": "chat.run.created", "timestamp": "2026-11-18T15:12:14.816Z", "test": false, "cause": {"automation_id": null, "automation_run_id": null, "depth": 0, "request_id": "req_0VbL0tdUrUv1WH6VQfszgue07c"}, "data": {"object": "chat.run", "id": "run_0VbL0tdYatLGzvDq6wKPYkvaom", "session_id": "ses_0VbL0tbt2FUfuxSdvzSx7SwETb", "status": "queued"}}, {"object": "event", "id": "evt_0VbL0tdpExpf0BhyhK4oXkbJlJ", "sequence_number": 8, "type": "chat.run.completed", "timestamp": "2026-11-18T15:12:14.833Z", "test": false, "cause": {"automation_id": null, "automation_run_id": null, "depth": 0, "request_id": "req_0VbL0tdUrUv1WH6VQfszgue07c"}, "data": {"object": "chat.run", "id": "run_0VbL0tdYatLGzvDq6wKPYkvaom", "session_id": "ses_0VbL0tbt2FUfuxSdvzSx7SwETb", "status": "completed"}}, {"object": "event", "id": "evt_0VbL0te5qmcc1101FyJKVK5Oz9", "sequence_number": 9, "type": "chat.session.created", "timestamp": "2026-11-18T15:12:14.849Z", "test": false, "cause": {"automation_id": null, "automation_run_id": null, "depth": 0, "request_id": "req_0VbL0te5cyiRUJbdAtVWXVFlSX"}, "data": {"object": "chat.session", "id": "ses_0VbL0te5jLB02lfM2MVsJIy9Ui"}}, {"object": "event", "id": "evt_0VbL0te52LlKcGB5rbYffgEOoc", "sequence_number": 10, "type": "chat.run.created", "timestamp": "2026-11-18T15:12:14.849Z", "test": false, "cause": {"automation_id": null, "automation_run_id": null, "depth": 0, "request_id": "req_0VbL0te5cyiRUJbdAtVWXVFlSX"}, "data": {"object": "chat.run", "id": "run_0VbL0te5L7QWVY0zI57liYhJey", "session_id": "ses_0VbL0te5jLB02lfM2MVsJIy9Ui", "status": "queued"}}, {"object": "event", "id": "evt_0VbL0teJfBe8EZJ5pzgsVaRWaI", "sequence_number": 11, "type": "chat.run.failed", "timestamp": "2026-11-18T15:12:14.863Z", "test": false, "cause": {"automation_id": null, "automation_run_id": null, "depth": 0, "request_id": "req_0VbL0te5cyiRUJbdAtVWXVFlSX"}, "data": {"object": "chat.run", "id": "run_0VbL0te5L7QWVY0zI57liYhJey", "session_id": "ses_0VbL0te5jLB02lfM2MVsJIy9Ui", "status": "failed"}}, {"object": "event", "id": "evt_0VbL0teX36dSMXwFmd1dIqY8Hb", "sequence_number": 12, "type": "chat.session.created", "timestamp": "2026-11-18T15:12:14.877Z", "test": false, "cause": {"automation_id": null, "automation_run_id": null, "depth": 0, "request_id": "req_0VbL0teXz2Va5rRt4v56BQ52Cr"}, "data": {"object": "chat.session", "id": "ses_0VbL0teXBoCINB2SZPTMTM9g1n"}}, {"object": "event", "id": "evt_0VbL0teXGuEzw1QgqOU075uNmX", "sequence_number": 13, "type": "chat.run.created", "timestamp": "2026-11-18T15:12:14.877Z", "test": false, "cause": {"automation_id": null, "automation_run_id": null, "depth": 0, "request_id": "req_0VbL0teXz2Va5rRt4v56BQ52Cr"}, "data": {"object": "chat.run", "id": "run_0VbL0teXLezYBlxczvDuyBHpcF", "session_id": "ses_0VbL0teXBoCINB2SZPTMTM9g1n", "status": "queued"}}, {"object": "event", "id": "evt_0VbL0tevsJtWcy98ryvLObbs27", "sequence_number": 14, "type": "chat.run.completed", "timestamp": "2026-11-18T15:12:14.901Z", "test": false, "cause": {"automation_id": null, "automation_run_id": null, "depth": 0, "request_id": "req_0VbL0teXz2Va5rRt4v56BQ52Cr"}, "data": {"object": "chat.run", "id": "run_0VbL0teXLezYBlxczvDuyBHpcF", "session_id": "ses_0VbL0teXBoCINB2SZPTMTM9g1n", "status": "completed"}}, {"object": "event", "id": "evt_0VbL0tfElFQRnyhENzvgbBq1FH", "sequence_number": 15, "type": "chat.session.updated", "timestamp": "2026-11-18T15:12:14.920Z", "test": false, "cause": {"automation_id": null, "automation_run_id": null, "depth": 0, "request_id": "req_0VbL0tf3FJnxB5GhQZELE1i5Jd"}, "data": {"object": "chat.session", "id": "ses_0VbL0teXBoCINB2SZPTMTM9g1n"}}, {"object": "event", "id": "evt_0VbL0tfVPcfl08NCd68oKawPaF", "sequence_number": 16, "type": "automation.created", "timestamp": "2026-11-18T15:12:14.937Z", "test": false, "cause": {"automation_id": null, "automation_run_id": null, "depth": 0, "request_id": "req_0VbL0tfUvW2L0efg12WILx6aVV"}, "data": {"object": "automation", "id": "aut_0VbL0tfValxGr08OoyDfs3zuYG"}}, {"object": "event", "id": "evt_0VbL0tfkJyiZgqpKIaWnrVeImX", "sequence_number": 17, "type": "automation.run.queued", "timestamp": "2026-11-18T15:12:14.952Z", "test": false, "cause": {"automation_id": null, "automation_run_id": null, "depth": 1, "request_id": "req_0VbL0tfhv0BfyuPyggcnGZqk5n"}, "data": {"object": "automation.run", "id": "aru_0VbL0tfkjkvU5gamb6ks96VcF2", "automation_id": "aut_0VbL0tfValxGr08OoyDfs3zuYG", "status": "queued"}}, {"object": "event", "id": "evt_0VbL0tfmnbUnYysALiu6Aepqop", "sequence_number": 18, "type": "chat.session.created", "timestamp": "2026-11-18T15:12:14.954Z", "test": false, "cause": {"automation_id": "aut_0VbL0tfValxGr08OoyDfs3zuYG", "automation_run_id": "aru_0VbL0tfkjkvU5gamb6ks96VcF2", "depth": 1, "request_id": null}, "data": {"object": "chat.session", "id": "ses_0VbL0tfmbhwA7cMygISAcd5WFj"}}, {"object": "event", "id": "evt_0VbL0tfm2MNpHlsZXSMw56Qi2O", "sequence_number": 19, "type": "chat.run.created", "timestamp": "2026-11-18T15:12:14.954Z", "test": false, "cause": {"automation_id": "aut_0VbL0tfValxGr08OoyDfs3zuYG", "automation_run_id": "aru_0VbL0tfkjkvU5gamb6ks96VcF2", "depth": 1, "request_id": null}, "data": {"object": "chat.run", "id": "run_0VbL0tfmvqgdCAWINN7xlVn7tD", "session_id": "ses_0VbL0tfmbhwA7cMygISAcd5WFj", "status": "queued"}}, {"object": "event", "id": "evt_0VbL0tg8MQbbxQ1jjH4zDNIL1q", "sequence_number": 20, "type": "chat.run.completed", "timestamp": "2026-11-18T15:12:14.976Z", "test": false, "cause": {"automation_id": "aut_0VbL0tfValxGr08OoyDfs3zuYG", "automation_run_id": "aru_0VbL0tfkjkvU5gamb6ks96VcF2", "depth": 1, "request_id": null}, "data": {"object": "chat.run", "id": "run_0VbL0tfmvqgdCAWINN7xlVn7tD", "session_id": "ses_0VbL0tfmbhwA7cMygISAcd5WFj", "status": "completed"}}, {"object": "event", "id": "evt_0VbL0tg8Yd7VxStKy8KGHVIq04", "sequence_number": 21, "type": "automation.run.completed", "timestamp": "2026-11-18T15:12:14.976Z", "test": false, "cause": {"automation_id": "aut_0VbL0tfValxGr08OoyDfs3zuYG", "automation_run_id": "aru_0VbL0tfkjkvU5gamb6ks96VcF2", "depth": 1, "request_id": null}, "data": {"object": "automation.run", "id": "aru_0VbL0tfkjkvU5gamb6ks96VcF2", "automation_id": "aut_0VbL0tfValxGr08OoyDfs3zuYG", "status": "completed"}}, {"object": "event", "id": "evt_0VbL0tgkAaLRZaTyUkmMFrLQBp", "sequence_number": 22, "type": "webhook.created", "timestamp": "2026-11-18T15:12:15.014Z", "test": false, "cause": {"automation_id": null, "automation_run_id": null, "depth": 0, "request_id": "req_0VbL0tgjMGHfzVJnOlHEfGb3w6"}, "data": {"object": "webhook", "id": "whk_0VbL0tgkOkFkhJ73etFuEADDyq"}}, {"object": "event", "id": "evt_0VbL0th7vy0Bn1W75obzQkc5hN", "sequence_number": 23, "type": "webhook.disabled", "timestamp": "2026-11-18T15:12:15.037Z", "test": false, "cause": {"automation_id": null, "automation_run_id": null, "depth": 0, "request_id": "req_0VbL0th6IF6lRvoYCXfQQuWS17"}, "data": {"object": "webhook", "id": "whk_0VbL0tgkOkFkhJ73etFuEADDyq"}}], "has_more": false, "next_cursor": null}
PRAGMA application_id = 1348563564;
PRAGMA user_version = 23;
BEGIN;
PRAGMA writable_schema = ON;
CREATE TABLE audit (
        position   INTEGER PRIMARY KEY AUTOINCREMENT,
        id         TEXT NOT NULL UNIQUE,
        at_ms      INTEGER NOT NULL,
        actor      TEXT NOT NULL,
        action     TEXT NOT NULL,
        target     TEXT NOT NULL,
        address    TEXT NOT NULL,
        request_id TEXT NOT NULL
    ) STRICT;
INSERT INTO 'audit' VALUES (1, 'evt_0VbL0tSKJX18z7u36BfYSbCLJa', 1795014734120, 'server', 'token.created', 'tok_0VbL0tSKSP4n2utwUDQrzdI1w8', '', '');
INSERT INTO 'audit' VALUES (2, 'evt_0VbL0tYQTN7CK2tnvD6KhYgPik', 1795014734498, 'usr_0VbL0tYQUr5u6aj0Lg3dMlxsXc', 'setup', 'usr_0VbL0tYQUr5u6aj0Lg3dMlxsXc', '127.0.0.1', 'req_0VbL0tUwHb5HMC6k3l6bhCHowa');
INSERT INTO 'audit' VALUES (3, 'evt_0VbL0tbYBtEyZpJ2GaU0x33xcx', 1795014734692, 'usr_0VbL0tYQUr5u6aj0Lg3dMlxsXc', 'user.created', 'usr_0VbL0tbYxR29X2ZceQUsF6pupz', '127.0.0.1', 'req_0VbL0tYfMYscMJxs4Z9QSvComc');
INSERT INTO 'audit' VALUES (4, 'evt_0VbL0tbgLCQPTHnYDjIPlPDP7V', 1795014734700, 'usr_0VbL0tYQUr5u6aj0Lg3dMlxsXc', 'token.created', 'tok_0VbL0tbg9Q2tS6QqUpo6nRgzMq', '127.0.0.1', 'req_0VbL0tbfQbir1sfGuXJMlB9vVt');
INSERT INTO 'audit' VALUES (5, 'evt_0VbL0tgkitk5k2N08x2jMoWmQK', 1795014735014, 'usr_0VbL0tbYxR29X2ZceQUsF6pupz', 'webhook.created', 'whk_0VbL0tgkOkFkhJ73etFuEADDyq', '127.0.0.1', 'req_0VbL0tgjMGHfzVJnOlHEfGb3w6');
INSERT INTO 'audit' VALUES (6, 'evt_0VbL0thIrkHk49a1uUvIdfy6Ma', 1795014735048, 'usr_0VbL0tbYxR29X2ZceQUsF6pupz', 'webhook.changed', 'whk_0VbL0tgkOkFkhJ73etFuEADDyq', '127.0.0.1', 'req_0VbL0th6IF6lRvoYCXfQQuWS17');
INSERT INTO 'sqlite_sequence' VALUES ('tokens', 5);
INSERT INTO 'sqlite_sequence' VALUES ('audit', 6);
INSERT INTO 'sqlite_sequence' VALUES ('users', 2);
INSERT INTO 'sqlite_sequence' VALUES ('sessions', 4);
INSERT INTO 'sqlite_sequence' VALUES ('token_usage', 6);
INSERT INTO 'sqlite_sequence' VALUES ('automations', 1);
INSERT INTO 'sqlite_sequence' VALUES ('automation_runs', 1);
INSERT INTO 'sqlite_sequence' VALUES ('webhooks', 1);
CREATE TABLE keys (
        purpose TEXT PRIMARY KEY,
        bytes   BLOB NOT NULL
    ) STRICT, WITHOUT ROWID;
INSERT INTO 'keys' VALUES ('cursors', X'958248F58E95C4913C7CFA205AF4D204A6DE8808B1E0B5C68815804E0C16BEF8');
INSERT INTO 'keys' VALUES ('webhook secrets', X'CCCFFAD3F67D34728A270D135371774275F5480987A59D51F7D910CD3C436CF0');
CREATE TABLE users (
        position      INTEGER PRIMARY KEY AUTOINCREMENT,
        id            TEXT NOT NULL UNIQUE,
        username      TEXT NOT NULL,
        name_key      TEXT NOT NULL UNIQUE,
        display_name  TEXT NOT NULL,
        role          TEXT NOT NULL CHECK (role IN ('member', 'operator')),
        disabled      INTEGER NOT NULL CHECK (disabled IN (0, 1)),
        created_ms    INTEGER NOT NULL,
        last_login_ms INTEGER,
        password_hash TEXT NOT NULL
    , chat_limit INTEGER, general_limit INTEGER, invitation BLOB, invitation_expires_ms INTEGER, automation_limit INTEGER, retention_days INTEGER, reset_code BLOB, reset_expires_ms INTEGER, totp_secret BLOB, totp_pending BLOB, totp_step INTEGER NOT NULL DEFAULT 0, totp_failures INTEGER NOT NULL DEFAULT 0, totp_failed_ms INTEGER, output_tokens_per_day INTEGER) STRICT;
INSERT INTO 'users' VALUES (1, 'usr_0VbL0tYQUr5u6aj0Lg3dMlxsXc', 'olga', 'olga', 'Olga', 'operator', 0, 1795014734498, 1795014734499, '$argon2id$v=19$m=19456,t=2,p=1$+N5ngYHO9cLHal7PrGRYFA$/UJFv2I6NqzjWF/2LnFHdXeoehjJqZfCdO2/Z2c0gX0', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, 0, NULL, NULL);
INSERT INTO 'users' VALUES (2, 'usr_0VbL0tbYxR29X2ZceQUsF6pupz', 'ana', 'ana', 'Ana Ünal', 'member', 0, 1795014734692, NULL, '$argon2id$v=19$m=19456,t=2,p=1$LgPqkTbFiN9YLVILdSN8DA$MMbwIS2PmdgCeNKV2R19ARO2eViasaczWiv59EUmnZ4', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, 0, NULL, NULL);
CREATE TABLE tokens (
        position      INTEGER PRIMARY KEY AUTOINCREMENT,
        id            TEXT NOT NULL UNIQUE,
        hash          BLOB UNIQUE,
        kind          TEXT NOT NULL,
        user          TEXT REFERENCES users (id) ON DELETE CASCADE,
        login         TEXT REFERENCES tokens (id) ON DELETE CASCADE,
        name          TEXT NOT NULL,
        scopes        INTEGER NOT NULL,
        hint          TEXT NOT NULL,
        created_by    TEXT NOT NULL,
        created_ms    INTEGER NOT NULL,
        last_used_ms  INTEGER,
        expires_ms    INTEGER,
        ends_ms       INTEGER,
        first_used_ms INTEGER, chat_limit INTEGER, general_limit INTEGER, automation_limit INTEGER, is_temporary INTEGER NOT NULL DEFAULT 0
            CHECK (is_temporary IN (0, 1)),
        CHECK ((hash IS NULL) = (kind = 'login'))
    ) STRICT;
INSERT INTO 'tokens' VALUES (1, 'tok_0VbL0tSKSP4n2utwUDQrzdI1w8', X'53CD19C467A165784DEC9EA3DD9E92612E62A6824543C9D74A4334910B005FBF', 'c', NULL, NULL, 'web page', 1, 'plc_…80z7', 'server', 1795014734120, 1795014734283, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO 'tokens' VALUES (2, 'tok_0VbL0tYRVRTXJ9XzejP0sQhdjn', NULL, 'login', 'usr_0VbL0tYQUr5u6aj0Lg3dMlxsXc', NULL, 'set-up', 126, 'pls_…SLUp', 'usr_0VbL0tYQUr5u6aj0Lg3dMlxsXc', 1795014734499, 1795014734513, 1802790734499, 1797606734499, NULL, NULL, NULL, NULL, 0);
INSERT INTO 'tokens' VALUES (3, 'tok_0VbL0tYRA5z825YAMxUDpTgLNM', X'A2BB047D28E90C661C4EE265CFDC63F9627F6ABA09882BBFBB9D8D2DA75E8B16', 's', 'usr_0VbL0tYQUr5u6aj0Lg3dMlxsXc', 'tok_0VbL0tYRVRTXJ9XzejP0sQhdjn', 'set-up', 126, 'pls_…SLUp', 'usr_0VbL0tYQUr5u6aj0Lg3dMlxsXc', 1795014734499, 1795014734513, 1795018334499, 1795018334499, NULL, NULL, NULL, NULL, 0);
INSERT INTO 'tokens' VALUES (4, 'tok_0VbL0tYRdpJt0JRL8mATigar1l', X'0AA7431F5CB24CCCAD841888938946E0B386C6E4B3C615D9B388568401CB4A3B', 'r', 'usr_0VbL0tYQUr5u6aj0Lg3dMlxsXc', 'tok_0VbL0tYRVRTXJ9XzejP0sQhdjn', 'set-up', 0, 'plr_…AzKF', 'usr_0VbL0tYQUr5u6aj0Lg3dMlxsXc', 1795014734499, NULL, 1797606734499, 1797606734499, NULL, NULL, NULL, NULL, 0);
INSERT INTO 'tokens' VALUES (5, 'tok_0VbL0tbg9Q2tS6QqUpo6nRgzMq', X'327CF2420E3097099773EC4A21CC4E514DD099F9F361F02368B8F5797ACFABC7', 'p', 'usr_0VbL0tbYxR29X2ZceQUsF6pupz', NULL, 'from above', 110, 'plp_…ApfF', 'usr_0VbL0tYQUr5u6aj0Lg3dMlxsXc', 1795014734700, 1795014734713, NULL, NULL, NULL, NULL, NULL, NULL, 0);
CREATE TABLE counters (
        name  TEXT PRIMARY KEY,
        value INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
INSERT INTO 'counters' VALUES ('activity', 16);
INSERT INTO 'counters' VALUES ('search_index', 1);
INSERT INTO 'counters' VALUES ('search_version', 6426362931389384);
INSERT INTO 'counters' VALUES ('searchable', 8);
CREATE TABLE sessions (
        position        INTEGER PRIMARY KEY AUTOINCREMENT,
        id              TEXT NOT NULL UNIQUE,
        user            TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        test            INTEGER NOT NULL CHECK (test IN (0, 1)),
        archived        INTEGER NOT NULL CHECK (archived IN (0, 1)),
        activity        INTEGER NOT NULL,
        message_count   INTEGER NOT NULL,
        newest_message  TEXT,
        created_ms      INTEGER NOT NULL,
        updated_ms      INTEGER NOT NULL,
        last_message_ms INTEGER,
        revision        INTEGER NOT NULL,
        title           TEXT NOT NULL,
        title_key       TEXT NOT NULL,
        title_was_set   INTEGER NOT NULL CHECK (title_was_set IN (0, 1)),
        model           TEXT,
        metadata        TEXT NOT NULL,
        instructions    TEXT
    , automation TEXT, keep INTEGER NOT NULL DEFAULT 0 CHECK (keep IN (0, 1))) STRICT;
INSERT INTO 'sessions' VALUES (1, 'ses_0VbL0tbt2FUfuxSdvzSx7SwETb', 'usr_0VbL0tbYxR29X2ZceQUsF6pupz', 0, 0, 7, 6, 'msg_0VbL0tdYRdJe34Bvwzbw0cW9oQ', 1795014734713, 1795014734833, 1795014734833, 7, 'Why is the sky blue? ''--;   😀', 'why is the sky blue? ''--;   😀', 0, NULL, '{}', NULL, NULL, 0);
INSERT INTO 'sessions' VALUES (2, 'ses_0VbL0te5jLB02lfM2MVsJIy9Ui', 'usr_0VbL0tbYxR29X2ZceQUsF6pupz', 0, 0, 10, 2, 'msg_0VbL0te5jiTV3nzI2GXSL9c4FK', 1795014734849, 1795014734863, 1795014734863, 3, '{words:9} {fail_after:3}', '{words:9} {fail_after:3}', 0, NULL, '{}', NULL, NULL, 0);
INSERT INTO 'sessions' VALUES (3, 'ses_0VbL0teXBoCINB2SZPTMTM9g1n', 'usr_0VbL0tbYxR29X2ZceQUsF6pupz', 0, 0, 13, 2, 'msg_0VbL0teXZl6gomRJnSDr9doeUQ', 1795014734877, 1795014734920, 1795014734901, 4, 'Kept', 'kept', 1, NULL, '{}', NULL, NULL, 1);
INSERT INTO 'sessions' VALUES (4, 'ses_0VbL0tfmbhwA7cMygISAcd5WFj', 'usr_0VbL0tbYxR29X2ZceQUsF6pupz', 0, 0, 16, 2, 'msg_0VbL0tfmiOaxsBSbBul9TXKTNw', 1795014734954, 1795014734976, 1795014734976, 3, 'daily', 'daily', 0, NULL, '{}', NULL, 'aut_0VbL0tfValxGr08OoyDfs3zuYG', 0);
CREATE TABLE branches (
        branch        INTEGER PRIMARY KEY,
        session       INTEGER NOT NULL REFERENCES sessions (position) ON DELETE CASCADE,
        parent_branch INTEGER,
        first_depth   INTEGER NOT NULL
    ) STRICT;
INSERT INTO 'branches' VALUES (1, 1, NULL, 0);
INSERT INTO 'branches' VALUES (2, 1, 1, 2);
INSERT INTO 'branches' VALUES (3, 2, NULL, 0);
INSERT INTO 'branches' VALUES (4, 3, NULL, 0);
INSERT INTO 'branches' VALUES (5, 4, NULL, 0);
CREATE TABLE messages (
        position    INTEGER PRIMARY KEY,
        id          TEXT NOT NULL UNIQUE,
        session     INTEGER NOT NULL REFERENCES sessions (position) ON DELETE CASCADE,
        parent      INTEGER,
        branch      INTEGER NOT NULL,
        depth       INTEGER NOT NULL,
        speaker     TEXT NOT NULL CHECK (speaker IN ('user', 'assistant')),
        created_ms  INTEGER NOT NULL,
        stop_reason TEXT,
        model       TEXT,
        run         TEXT,
        metadata    TEXT NOT NULL,
        parts       BLOB NOT NULL, structured INTEGER NOT NULL DEFAULT 0
            CHECK (structured IN (0, 1)), images BLOB,
        UNIQUE (branch, depth)
    ) STRICT;
INSERT INTO 'messages' VALUES (1, 'msg_0VbL0tbtIYslyAuyfi7GSp9CuI', 1, NULL, 1, 0, 'user', 1795014734713, NULL, NULL, NULL, '{}', X'220000005768792069732074686520736B7920626C75653F0A272D2D3B20E280A820F09F9880', 0, NULL);
INSERT INTO 'messages' VALUES (2, 'msg_0VbL0tbtJPluPlBAg5yRyt2enr', 1, 1, 1, 1, 'assistant', 1795014734713, 'end_turn', 'scripted', 'run_0VbL0tbtAW7r8upDaocBaVC2TO', '{}', X'220000005768792069732074686520736B7920626C75653F0A272D2D3B20E280A820F09F9880', 0, NULL);
INSERT INTO 'messages' VALUES (3, 'msg_0VbL0tcuX7kkoeexsYz0TtFhbq', 1, 2, 1, 2, 'user', 1795014734776, NULL, NULL, NULL, '{}', X'0B0000007B776F7264733A3230307D', 0, NULL);
INSERT INTO 'messages' VALUES (4, 'msg_0VbL0tcuhHG0HuVlNukpl3nzgb', 1, 3, 1, 3, 'assistant', 1795014734776, 'end_turn', 'scripted', 'run_0VbL0tcuT0401G1XF6yta58xq3', '{}', X'7B030000773120773220773320773420773520773620773720773820773920773130207731312077313220773133207731342077313520773136207731372077313820773139207732302077323120773232207732332077323420773235207732362077323720773238207732392077333020773331207733322077333320773334207733352077333620773337207733382077333920773430207734312077343220773433207734342077343520773436207734372077343820773439207735302077353120773532207735332077353420773535207735362077353720773538207735392077363020773631207736322077363320773634207736352077363620773637207736382077363920773730207737312077373220773733207737342077373520773736207737372077373820773739207738302077383120773832207738332077383420773835207738362077383720773838207738392077393020773931207739322077393320773934207739352077393620773937207739382077393920773130302077313031207731303220773130332077313034207731303520773130362077313037207731303820773130392077313130207731313120773131322077313133207731313420773131352077313136207731313720773131382077313139207731323020773132312077313232207731323320773132342077313235207731323620773132372077313238207731323920773133302077313331207731333220773133332077313334207731333520773133362077313337207731333820773133392077313430207731343120773134322077313433207731343420773134352077313436207731343720773134382077313439207731353020773135312077313532207731353320773135342077313535207731353620773135372077313538207731353920773136302077313631207731363220773136332077313634207731363520773136362077313637207731363820773136392077313730207731373120773137322077313733207731373420773137352077313736207731373720773137382077313739207731383020773138312077313832207731383320773138342077313835207731383620773138372077313838207731383920773139302077313931207731393220773139332077313934207731393520773139362077313937207731393820773139392077323030', 0, NULL);
INSERT INTO 'messages' VALUES (5, 'msg_0VbL0tdYpQcpKyLuEOksnVADqt', 1, 2, 2, 2, 'user', 1795014734816, NULL, NULL, NULL, '{}', X'0D000000416761696E2C20706C65617365', 0, NULL);
INSERT INTO 'messages' VALUES (6, 'msg_0VbL0tdYRdJe34Bvwzbw0cW9oQ', 1, 5, 2, 3, 'assistant', 1795014734816, 'end_turn', 'scripted', 'run_0VbL0tdYatLGzvDq6wKPYkvaom', '{}', X'0D000000416761696E2C20706C65617365', 0, NULL);
INSERT INTO 'messages' VALUES (7, 'msg_0VbL0te5y8ttADUkQKZJuR8Tyt', 2, NULL, 3, 0, 'user', 1795014734849, NULL, NULL, NULL, '{}', X'180000007B776F7264733A397D207B6661696C5F61667465723A337D', 0, NULL);
INSERT INTO 'messages' VALUES (8, 'msg_0VbL0te5jiTV3nzI2GXSL9c4FK', 2, 7, 3, 1, 'assistant', 1795014734849, 'error', 'scripted', 'run_0VbL0te5L7QWVY0zI57liYhJey', '{}', X'080000007731207732207733', 0, NULL);
INSERT INTO 'messages' VALUES (9, 'msg_0VbL0teXZamNSTrOZUXre8oSQ1', 3, NULL, 4, 0, 'user', 1795014734877, NULL, NULL, NULL, '{"k":"v"}', X'1000000041207365636F6E642073657373696F6E', 0, NULL);
INSERT INTO 'messages' VALUES (10, 'msg_0VbL0teXZl6gomRJnSDr9doeUQ', 3, 9, 4, 1, 'assistant', 1795014734877, 'end_turn', 'scripted', 'run_0VbL0teXLezYBlxczvDuyBHpcF', '{}', X'1000000041207365636F6E642073657373696F6E', 0, NULL);
INSERT INTO 'messages' VALUES (11, 'msg_0VbL0tfmz8EKb6evhDkEMjVvaa', 4, NULL, 5, 0, 'user', 1795014734954, NULL, NULL, NULL, '{}', X'0500000068656C6C6F', 0, NULL);
INSERT INTO 'messages' VALUES (12, 'msg_0VbL0tfmiOaxsBSbBul9TXKTNw', 4, 11, 5, 1, 'assistant', 1795014734954, 'end_turn', 'scripted', 'run_0VbL0tfmvqgdCAWINN7xlVn7tD', '{}', X'0500000068656C6C6F', 0, NULL);
CREATE TABLE runs (
        position            INTEGER PRIMARY KEY,
        id                  TEXT NOT NULL UNIQUE,
        session             INTEGER NOT NULL REFERENCES sessions (position) ON DELETE CASCADE,
        question            INTEGER NOT NULL,
        answer              TEXT NOT NULL UNIQUE,
        model               TEXT NOT NULL,
        status              TEXT NOT NULL,
        created_ms          INTEGER NOT NULL,
        started_ms          INTEGER,
        completed_ms        INTEGER,
        input_tokens        INTEGER,
        output_tokens       INTEGER,
        cached_input_tokens INTEGER,
        history_from        INTEGER NOT NULL,
        last_number         INTEGER NOT NULL,
        frames_kept         INTEGER NOT NULL CHECK (frames_kept IN (0, 1)),
        error               TEXT NOT NULL,
        metadata            TEXT NOT NULL,
        parameters          TEXT NOT NULL, owner INTEGER NOT NULL DEFAULT 0, frees_key INTEGER NOT NULL DEFAULT 0
            CHECK (frees_key IN (0, 1)), kept_since_ms INTEGER, request TEXT NOT NULL DEFAULT '', automation_run TEXT NOT NULL DEFAULT '', replica INTEGER, epoch INTEGER NOT NULL DEFAULT 0, cancel_asked INTEGER NOT NULL DEFAULT 0
        CHECK (cancel_asked IN (0, 1)), reserved_tokens INTEGER NOT NULL DEFAULT 0,
        CHECK ((status IN ('queued', 'running')) = (completed_ms IS NULL))
    ) STRICT;
INSERT INTO 'runs' VALUES (1, 'run_0VbL0tbtAW7r8upDaocBaVC2TO', 1, 1, 'msg_0VbL0tbtJPluPlBAg5yRyt2enr', 'scripted', 'completed', 1795014734713, 1795014734713, 1795014734764, 8, 8, 0, 0, 10, 1, '', '{}', '{"logit_bias":{},"stop":[]}', 4, 0, 1795014734764, 'req_0VbL0tbtEiqkANV94unu3ASuVr', '', NULL, 0, 0, 0);
INSERT INTO 'runs' VALUES (2, 'run_0VbL0tcuT0401G1XF6yta58xq3', 1, 3, 'msg_0VbL0tcuhHG0HuVlNukpl3nzgb', 'scripted', 'completed', 1795014734776, 1795014734776, 1795014734804, 17, 200, 0, 0, 202, 1, '', '{}', '{"logit_bias":{},"stop":[]}', 4, 0, 1795014734804, 'req_0VbL0tcsfaoWvP0dUAbR5WQsdG', '', NULL, 0, 0, 0);
INSERT INTO 'runs' VALUES (3, 'run_0VbL0tdYatLGzvDq6wKPYkvaom', 1, 5, 'msg_0VbL0tdYRdJe34Bvwzbw0cW9oQ', 'scripted', 'completed', 1795014734816, 1795014734816, 1795014734833, 18, 2, 0, 0, 4, 1, '', '{}', '{"logit_bias":{},"stop":[]}', 4, 0, 1795014734833, 'req_0VbL0tdUrUv1WH6VQfszgue07c', '', NULL, 0, 0, 0);
INSERT INTO 'runs' VALUES (4, 'run_0VbL0te5L7QWVY0zI57liYhJey', 2, 7, 'msg_0VbL0te5jiTV3nzI2GXSL9c4FK', 'scripted', 'failed', 1795014734849, 1795014734849, 1795014734863, 2, 3, 0, 0, 5, 1, '{"code":"upstream_error","detail":"The scripted model failed, as the message requested"}', '{}', '{"logit_bias":{},"stop":[]}', 4, 0, 1795014734863, 'req_0VbL0te5cyiRUJbdAtVWXVFlSX', '', NULL, 0, 0, 0);
INSERT INTO 'runs' VALUES (5, 'run_0VbL0teXLezYBlxczvDuyBHpcF', 3, 9, 'msg_0VbL0teXZl6gomRJnSDr9doeUQ', 'scripted', 'completed', 1795014734877, 1795014734877, 1795014734901, 3, 3, 0, 0, 5, 1, '', '{"k":"v"}', '{"logit_bias":{},"stop":[]}', 4, 0, 1795014734901, 'req_0VbL0teXz2Va5rRt4v56BQ52Cr', '', NULL, 0, 0, 0);
INSERT INTO 'runs' VALUES (6, 'run_0VbL0tfmvqgdCAWINN7xlVn7tD', 4, 11, 'msg_0VbL0tfmiOaxsBSbBul9TXKTNw', 'scripted', 'completed', 1795014734954, 1795014734954, 1795014734976, 1, 1, 0, 0, 3, 1, '', '{}', '{"logit_bias":{},"stop":[],"timeout_s":300}', 4, 0, 1795014734976, '', 'aru_0VbL0tfkjkvU5gamb6ks96VcF2', NULL, 0, 0, 0);
CREATE TABLE frames (
        run          INTEGER NOT NULL REFERENCES runs (position) ON DELETE CASCADE,
        first_number INTEGER NOT NULL,
        bytes        BLOB NOT NULL,
        PRIMARY KEY (run, first_number)
    ) STRICT;
INSERT INTO 'frames' VALUES (1, 0, X'01B60E789CDD54CB6ED34014150F9560F88868D669649B3609B34BCB4345485424140142D6D8BE4D0DF68C19DF293191777C035F80F828BE86193BB61C61292974032B6BE69EFB38E79EF19D9FBD28A47DC7824BE048FB52F1612081218456C890D1FE8A609E02A1A415220392C127053C008FABC40749A8333008425744F81F20409D115C301C9ACB0189C2AA82679FF9CF6DF471FA7A2C272A7DC44470C4CE8EDDF90B531419AAAC42F2882FCA3E591609EE9505F4A129E03E7975AE96B3F0F2CB6C399E7D7E3CF7359A2914094393609A9924AEE278401211426C2A04324A2B067A7E055E2AB2C8E06BE09AA1C70C01D77647FB8EB3EF4CE6CE21755CEA1C0CC7CE83B7D5A872175C209234861A59F55019482FD1C4D8027E17AC0EAC454BB245C3F9E44D16E753959F47E3A7B3F4E1B13AB9B24229937AD12D65A488CD76CD4CE5B81C759CD077CDDE1196A823E587DEFA7AB378BFBB4A09203336D22C8BC21CD79CABD64261AA5AAAB44220A590CDF2DA550ACBDADBEBF5EE5B3DEBDEB7BBA579ED0DF7D68277FAB70E763AD8BE4E0B6FB6FA9F4CDC8D1C1D18E4BF6CEDEFB7AFC3DA57E0FCEC3456A7F1D1747198BFCCD1052EFF86F37639D77A30DD406F9EE30EA2DCF8518A92A1483D2D4C663C4680871E2A691E4587256BCF6E7F2B7F2875E76F634522AE6F3D141F81EBF737A971ED1B14C8E2E6C219E9115870A127D8CCB58B2D3FA05F7BCB59D8');
INSERT INTO 'frames' VALUES (2, 0, X'01C810789CED54DD6ED3301416620254249EA1F275573959FFE43B90E82684D044CB3440287292431B9AD8A973BCA5ADF20E3C09E211B19BA4B450B40E0D2E10BE8972CE77FE3E9FCFF7BF3E8E42D6741A700502595369D10E147084B01172E4ACB922B8488130B2E5222D92C15C8308C0133AF14111E6B42C82B01591FE2708D04404538E6D6B6C91282C3378F4C27F4931D063DAA1CEA97339EC2D907707F9FCC426458E3A2B91221293759D2C8BA4F0D609CC4F95C04777F8E6A3CE47E1D57294F747D7CFC7BE41738D32E168036C311B24741CB7482243886D864045693981E95F8397CA2CB2F81A584DE8713B804BDDDEB1E31C3B83B1D3658ECB9C4EBBDFEFBD2B5B5587E00299A431D4C8B286CE407989198C4FE067C26A47455A924D36A45DF667330990676F97748CC3A93FBF35432957E6A2BD1F52FBF8E23CD6E7F1B3A793EEE2F5025D10CA80958CEDCDDB7ED7A30834B184BDDFEC04428EC6B3FE30B2BA962ACC984B69418A0F8773990072BB6C868BA2B0BF1533255B5263AAB7B8DB728152526DAE783B4BD1681C3DA8CEA33F761A7FE33CFCFCC44AD4F0B723D27AAFF6CAB476EE13AA49749752DDADF52F89752F72403B16F95FC28749F816CC4CCF4EE999BE885FE9591A9F88E5C4BF23667E417AC50C3705CC7E083C809E7B5F8E2C2919CAD433C46476130988D043ADAC74F62C6EBDD9372BEA37A9DEFB3CAE48248CD54339036154EAF46BE0C664AED88C2591C7DF4D1616F0606ABAD88DA7C50D8FED3766E17B02');
INSERT INTO 'frames' VALUES (3, 0, X'018B0F789CED94DD6EDA3018860F7AC6A61DEC0A908F539404CA58CEA8DA4D6A914A4BDBA99BA6C849BED18CC40EF6E7F027EE6A57B22BAA4D12061B5369D5A3694791EDF7FB7BFC3A073F5EC59157776A900343AF2E146B84022842548B2852AFBE2038CB807864E3885844C258010BC1672A0D4010CFB18C82780BC283EF10A28E08EF2936CCA645E2A8C8E0DBB741CFC6E88E62EFE33C3F19B727E7FDBB514E796A922245250B258BD9705547CA98337F95402FCA0401BA1F6EBEA9E920CAE783E9BBC1E4F43AD06AAA90A7144D80296682984A128BA43C82C46408459C1513E8FE15F81997B1D157C272429F9A015CDB6D1F3ACEA1D3B9768E3CC7F59C56A3E3B43F17AD8A7D74214FB3042A65514349107EAA07A343F813587550424BE5700D2DBB0CB3F3594F9D5E8C24BBED9E8CF1C984322AF445FBBFA50EF0AC9FA87E72DC1D1ECDAE66E802135A2C78626EDEF4BB1A85A18E25DE97B52710A6A685D5C723DD218D9955D7F3520964F9757F9A29203576D334964BB32CD914BCB8C24C6DD0DB380221B8585FF2669665ADF6FACDC1CFB7C6DEAD2D7B5737B2D3E0D5E12E8BB75ED2E2DB95FE2593EF56369B46F9DFFAFB5AFF096CAEA23368B68EF3C93C98D8E1A7F7FCF285D8FC057BC986EA02DA210C9F074822CF7C0D491A5F1260918F4A9887B4C3C695CF1F7F5FCFC4BEF317B32031D3BB3EF21130FD669D4E255C6FB97A408E34F9B561EB1E6878AF5BD80EB6978FFCAD1E0009797BCD');
INSERT INTO 'frames' VALUES (4, 0, X'01D00F789CDD54DD6ED3301895006D505E22F20D375D97A4CDD6E60E8440EDBA8B4157D8108ADCD46BDD2576B03FAF7455242E78149E8AA7C1CE1F9956691DEC06AEA2F83BDFCF393EFE767F3EA553DF721AE48A30F02DA1582B1404039936A618B06FAD11AC12827C540BA12692E48B222C240153F18408E43B4D8340FE1AF1C98284A033C2398696396C223ACD2B04F67832B48178C3C3930FE333FBBAEF1D46F46C3E202B5314302899231965B3AC8F9494B3202BA07FAA028BE12BDB8D2E8EDDE3B11CF457BD53AAD158018F319804D3CC243115454D14F329894C8550D02467A0E7572448B8A4065F020B860136045CDB3DD8739C3DA73B723CDF717DA7D3EA767AE7F9A8621B5CC8E324222532EFA1241141AC89E119B92D581928448BE5ACE2BCEA02BC7C7D7A7972743E50EFBAA315DC5BA1040B7DD13565048FCCED9A99B27119E838F23F55F70EE4AB69937DFCC7DF1FA59FB7572926808D8D34CB3435BF05E7BC355790A89A2AB51011828BEAF2EA55D246E3C9CECEEEB767C6B75EDDB71798469B6D9B4736B9D67B48D7D6DAFC4FA6DD8C3C681BE4BF6CE51FCF1FC2CAF7E0BCA0A3719B5DF7DDB71FDF0F7B61E7CDD1DF70BE5BCE420FAC1BE89B67B0852868E9584BD75AB691D146024F02AD8F34562BDEE4465B96BEBDFBB1FCA1DC1B57C51A51A64F03E09784E907E896B8EAA4AD7971C05175A0DF7B88C3B91EE066AA9D563BA712663F117C129158EEAB44829E3B0E4A09804226ED684EAC4C8E17D2D2AEBB22C2FABD048AB5E0D97AAEA9A643A322A3142E4F2D329A169616987AB9812C617695CCF50D35D038FBE61CE9EDD5F80B849C8883');
INSERT INTO 'frames' VALUES (5, 0, X'01F70E789CED545D6FD3301495D85B9110E217447EEEAAB8D0AEF51B654280B6B1D10E8D2214B9C9551796D8C1BEAEB655F92BFB29FC36ECE643A988B46EF084788A72EFF1BDE79E7BECBDBBA771C43CDA811508649E32A2172AE0085127E2C899B72678930161A491225DA2E187011142204CBA004518ED3A04616B2217DF21447B22BCE4D873C12E89A3A242E07F5E1CF908174770FB65925C87B7AB4373337997856F5D51E468748114B1586EFA681D4B116C0AD89FBAC044BE797F32E94FE7A7B3E3D9F178495D1B6E50A61CDD01D7CC1D122649BA24951124AE42A8E2AC98C0F237106452C70E5F01CB0903EE06E8FBFDE13EA5FB7434A30346FB8CBEEA8D0E0EE60555B50B2E94699640852C7A180D2A48ED607C09BF0B56254AD152BDAC679EF3F4643A531FE7E7170A46727A461FAC50C6955D7443192513B75DC7694357A0CD13F6B5DE3BC235DACCE6C3C86B4F8305455ED996E4DF76172D05E4CE556EE82B0B5D913C77D15289829034989986568D14282555BDD2966279A7F3E4D9F3BD9F2F9CA9075BA6AEF6D06AEB2AD966ECC1DF34F676A77FC9DAADC8B14F1DF2BFE1DB0DFF102592E152A69F3E88E9A11A4712CECFFE4489FB452E55E2B681F583C0474BA5516681954B3B231210518046393A2DBEAD8C7DFF857AC4029CF2AD6FCB9AC4C24603945720EC257D59E19A1194C8933A30B40C787869096C1FF5F3DD1EA95FD36C6C45');
INSERT INTO 'frames' VALUES (6, 0, X'01F00E789CED554D6FDA40103DE4466FFD0568CF0461124CD81B6912294A430EA1246A55596B7B6A8CED5D6777969022FF9B9EFB1BB36B63042A12A1EDAD3D593BF3E6E3BD7DB68F7EBC8B43DA741A30078EB429356F07121842D8081932DA5C127CC98150B291222DA2E049030FC0E33AF34112EAB42C82D02511FE0C023415C19461DB065B240EAB0E5E67E27FECE0B76CFE14851F860FD7A3517F914E781F2F6C5364A85585E4318FCA394AC5827B6503735837F0A7CFC37E70FB125DDF0F83B0F770353368A651640C6D811D561631A9EBA26496CC3FF52296F96EA206EE24B8EA9AA24C8490DAEE818CF38A9DE1A6C1CB858A6D2F42B94ED31659B1F79825D7ED74DD63C73976CEC64E8F3A5DEA9CB607BDD3CF150DF9165C20B23C851A59CDD00AA49719D22C825FC5AC132B413315ADF5F87E7679E3BB309F5E2497B7B3C99CB183D5CB99342628C1D53252A4F6E6ED4EE5BA1C4D9ED02F6B4F202CD064CA0725534853418AAF6F572A0364D666866951D8E38A77355E68CCF586321B299052C8FAB0D5A568341A473FDF5B579F6CB9BA167BA7AFEBE42E679FFC4D676F4FFA57BCBD1BD9772DF2BFE30FE41DDFB1853ABFF7CF753A183FDE8C47CF7FC27BBFA42B4D9819606E9FE361C22814B967C451D66B0478E8A1967CB735D7BEDEFB3EFDA6DC3BBF284B127313F55024C055F927AB709B1114C8D275A06B3660C1D42CB05DDA29F67C9A5E01CB566EAE');
CREATE TABLE "idempotency_keys" (
            user        TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
            test        INTEGER NOT NULL CHECK (test IN (0, 1)),
            key         TEXT NOT NULL,
            fingerprint BLOB NOT NULL,
            kind        TEXT NOT NULL,
            object      TEXT NOT NULL,
            expires_ms  INTEGER NOT NULL,
            PRIMARY KEY (user, test, key)
        ) STRICT, WITHOUT ROWID;
CREATE TABLE event_heads (
            owner        INTEGER PRIMARY KEY,
            first_number INTEGER NOT NULL,
            last_number  INTEGER NOT NULL,
            oldest_ms    INTEGER
        ) STRICT;
INSERT INTO 'event_heads' VALUES (4, 1, 23, 1795014734700);
CREATE TABLE events (
            owner   INTEGER NOT NULL,
            number  INTEGER NOT NULL,
            id      TEXT NOT NULL,
            at_ms   INTEGER NOT NULL,
            type    INTEGER NOT NULL,
            subject TEXT NOT NULL,
            session TEXT NOT NULL,
            request TEXT NOT NULL, automation TEXT NOT NULL DEFAULT '', automation_run TEXT NOT NULL DEFAULT '', depth INTEGER NOT NULL DEFAULT 0,
            PRIMARY KEY (owner, number)
        ) STRICT, WITHOUT ROWID;
INSERT INTO 'events' VALUES (4, 1, 'evt_0VbL0tbgSNzlm9lPlm3CVUFaYt', 1795014734700, 8, 'tok_0VbL0tbg9Q2tS6QqUpo6nRgzMq', '', 'req_0VbL0tbfQbir1sfGuXJMlB9vVt', '', '', 0);
INSERT INTO 'events' VALUES (4, 2, 'evt_0VbL0tbtCDGHrK0XRksIcSm2sf', 1795014734713, 0, 'ses_0VbL0tbt2FUfuxSdvzSx7SwETb', '', 'req_0VbL0tbtEiqkANV94unu3ASuVr', '', '', 0);
INSERT INTO 'events' VALUES (4, 3, 'evt_0VbL0tbtw3FvoaAkk1cx7XCSDR', 1795014734713, 3, 'run_0VbL0tbtAW7r8upDaocBaVC2TO', 'ses_0VbL0tbt2FUfuxSdvzSx7SwETb', 'req_0VbL0tbtEiqkANV94unu3ASuVr', '', '', 0);
INSERT INTO 'events' VALUES (4, 4, 'evt_0VbL0tciZGMNk06CIZ9psMdjRm', 1795014734764, 4, 'run_0VbL0tbtAW7r8upDaocBaVC2TO', 'ses_0VbL0tbt2FUfuxSdvzSx7SwETb', 'req_0VbL0tbtEiqkANV94unu3ASuVr', '', '', 0);
INSERT INTO 'events' VALUES (4, 5, 'evt_0VbL0tcubNPq5aTJ31mlSwYZx6', 1795014734776, 3, 'run_0VbL0tcuT0401G1XF6yta58xq3', 'ses_0VbL0tbt2FUfuxSdvzSx7SwETb', 'req_0VbL0tcsfaoWvP0dUAbR5WQsdG', '', '', 0);
INSERT INTO 'events' VALUES (4, 6, 'evt_0VbL0tdMP3pqR3OuIg1f1zrH7W', 1795014734804, 4, 'run_0VbL0tcuT0401G1XF6yta58xq3', 'ses_0VbL0tbt2FUfuxSdvzSx7SwETb', 'req_0VbL0tcsfaoWvP0dUAbR5WQsdG', '', '', 0);
INSERT INTO 'events' VALUES (4, 7, 'evt_0VbL0tdYOY0d9nG8IfmvovatSq', 1795014734816, 3, 'run_0VbL0tdYatLGzvDq6wKPYkvaom', 'ses_0VbL0tbt2FUfuxSdvzSx7SwETb', 'req_0VbL0tdUrUv1WH6VQfszgue07c', '', '', 0);
INSERT INTO 'events' VALUES (4, 8, 'evt_0VbL0tdpExpf0BhyhK4oXkbJlJ', 1795014734833, 4, 'run_0VbL0tdYatLGzvDq6wKPYkvaom', 'ses_0VbL0tbt2FUfuxSdvzSx7SwETb', 'req_0VbL0tdUrUv1WH6VQfszgue07c', '', '', 0);
INSERT INTO 'events' VALUES (4, 9, 'evt_0VbL0te5qmcc1101FyJKVK5Oz9', 1795014734849, 0, 'ses_0VbL0te5jLB02lfM2MVsJIy9Ui', '', 'req_0VbL0te5cyiRUJbdAtVWXVFlSX', '', '', 0);
INSERT INTO 'events' VALUES (4, 10, 'evt_0VbL0te52LlKcGB5rbYffgEOoc', 1795014734849, 3, 'run_0VbL0te5L7QWVY0zI57liYhJey', 'ses_0VbL0te5jLB02lfM2MVsJIy9Ui', 'req_0VbL0te5cyiRUJbdAtVWXVFlSX', '', '', 0);
INSERT INTO 'events' VALUES (4, 11, 'evt_0VbL0teJfBe8EZJ5pzgsVaRWaI', 1795014734863, 5, 'run_0VbL0te5L7QWVY0zI57liYhJey', 'ses_0VbL0te5jLB02lfM2MVsJIy9Ui', 'req_0VbL0te5cyiRUJbdAtVWXVFlSX', '', '', 0);
INSERT INTO 'events' VALUES (4, 12, 'evt_0VbL0teX36dSMXwFmd1dIqY8Hb', 1795014734877, 0, 'ses_0VbL0teXBoCINB2SZPTMTM9g1n', '', 'req_0VbL0teXz2Va5rRt4v56BQ52Cr', '', '', 0);
INSERT INTO 'events' VALUES (4, 13, 'evt_0VbL0teXGuEzw1QgqOU075uNmX', 1795014734877, 3, 'run_0VbL0teXLezYBlxczvDuyBHpcF', 'ses_0VbL0teXBoCINB2SZPTMTM9g1n', 'req_0VbL0teXz2Va5rRt4v56BQ52Cr', '', '', 0);
INSERT INTO 'events' VALUES (4, 14, 'evt_0VbL0tevsJtWcy98ryvLObbs27', 1795014734901, 4, 'run_0VbL0teXLezYBlxczvDuyBHpcF', 'ses_0VbL0teXBoCINB2SZPTMTM9g1n', 'req_0VbL0teXz2Va5rRt4v56BQ52Cr', '', '', 0);
INSERT INTO 'events' VALUES (4, 15, 'evt_0VbL0tfElFQRnyhENzvgbBq1FH', 1795014734920, 1, 'ses_0VbL0teXBoCINB2SZPTMTM9g1n', '', 'req_0VbL0tf3FJnxB5GhQZELE1i5Jd', '', '', 0);
INSERT INTO 'events' VALUES (4, 16, 'evt_0VbL0tfVPcfl08NCd68oKawPaF', 1795014734937, 12, 'aut_0VbL0tfValxGr08OoyDfs3zuYG', '', 'req_0VbL0tfUvW2L0efg12WILx6aVV', '', '', 0);
INSERT INTO 'events' VALUES (4, 17, 'evt_0VbL0tfkJyiZgqpKIaWnrVeImX', 1795014734952, 17, 'aru_0VbL0tfkjkvU5gamb6ks96VcF2', 'aut_0VbL0tfValxGr08OoyDfs3zuYG', 'req_0VbL0tfhv0BfyuPyggcnGZqk5n', '', '', 1);
INSERT INTO 'events' VALUES (4, 18, 'evt_0VbL0tfmnbUnYysALiu6Aepqop', 1795014734954, 0, 'ses_0VbL0tfmbhwA7cMygISAcd5WFj', '', '', 'aut_0VbL0tfValxGr08OoyDfs3zuYG', 'aru_0VbL0tfkjkvU5gamb6ks96VcF2', 1);
INSERT INTO 'events' VALUES (4, 19, 'evt_0VbL0tfm2MNpHlsZXSMw56Qi2O', 1795014734954, 3, 'run_0VbL0tfmvqgdCAWINN7xlVn7tD', 'ses_0VbL0tfmbhwA7cMygISAcd5WFj', '', 'aut_0VbL0tfValxGr08OoyDfs3zuYG', 'aru_0VbL0tfkjkvU5gamb6ks96VcF2', 1);
INSERT INTO 'events' VALUES (4, 20, 'evt_0VbL0tg8MQbbxQ1jjH4zDNIL1q', 1795014734976, 4, 'run_0VbL0tfmvqgdCAWINN7xlVn7tD', 'ses_0VbL0tfmbhwA7cMygISAcd5WFj', '', 'aut_0VbL0tfValxGr08OoyDfs3zuYG', 'aru_0VbL0tfkjkvU5gamb6ks96VcF2', 1);
INSERT INTO 'events' VALUES (4, 21, 'evt_0VbL0tg8Yd7VxStKy8KGHVIq04', 1795014734976, 18, 'aru_0VbL0tfkjkvU5gamb6ks96VcF2', 'aut_0VbL0tfValxGr08OoyDfs3zuYG', '', 'aut_0VbL0tfValxGr08OoyDfs3zuYG', 'aru_0VbL0tfkjkvU5gamb6ks96VcF2', 1);
INSERT INTO 'events' VALUES (4, 22, 'evt_0VbL0tgkAaLRZaTyUkmMFrLQBp', 1795014735014, 23, 'whk_0VbL0tgkOkFkhJ73etFuEADDyq', '', 'req_0VbL0tgjMGHfzVJnOlHEfGb3w6', '', '', 0);
INSERT INTO 'events' VALUES (4, 23, 'evt_0VbL0th7vy0Bn1W75obzQkc5hN', 1795014735037, 25, 'whk_0VbL0tgkOkFkhJ73etFuEADDyq', '', 'req_0VbL0th6IF6lRvoYCXfQQuWS17', '', '', 0);
CREATE TABLE automations (
            position              INTEGER PRIMARY KEY AUTOINCREMENT,
            id                    TEXT NOT NULL UNIQUE,
            user                  TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
            test                  INTEGER NOT NULL CHECK (test IN (0, 1)),
            name                  TEXT NOT NULL,
            name_key              TEXT NOT NULL,
            overlap               TEXT NOT NULL,
            pause_after_failures  INTEGER,
            output_tokens_per_day INTEGER,
            state                 TEXT NOT NULL CHECK (state IN ('active', 'paused', 'ended')),
            pause_reason          TEXT,
            session               TEXT,
            evaluated_ms          INTEGER NOT NULL,
            next_ms               INTEGER,
            listens               INTEGER NOT NULL CHECK (listens IN (0, 1)),
            heard_number          INTEGER NOT NULL,
            created_ms            INTEGER NOT NULL,
            updated_ms            INTEGER NOT NULL,
            revision              INTEGER NOT NULL,
            failures              INTEGER NOT NULL
        , removed INTEGER NOT NULL DEFAULT 0
            CHECK (removed IN (0, 1))) STRICT;
INSERT INTO 'automations' VALUES (1, 'aut_0VbL0tfValxGr08OoyDfs3zuYG', 'usr_0VbL0tbYxR29X2ZceQUsF6pupz', 0, 'daily', 'daily', 'queue', 10, NULL, 'active', NULL, NULL, 1795014734937, NULL, 0, 15, 1795014734937, 1795014734937, 1, 0, 0);
CREATE TABLE automation_definitions (
            automation INTEGER NOT NULL REFERENCES automations (position) ON DELETE CASCADE,
            revision   INTEGER NOT NULL,
            definition TEXT NOT NULL,
            PRIMARY KEY (automation, revision)
        ) STRICT, WITHOUT ROWID;
INSERT INTO 'automation_definitions' VALUES (1, 1, '{"name":"daily","message":"hello","variables":[],"instructions":null,"model":null,"max_output_tokens":null,"temperature":null,"top_p":null,"seed":null,"stop":null,"response_format":null,"session":{"policy":"new","keep":30,"session_id":null},"trigger":null,"overlap":null,"catch_up":"latest","catch_up_window_s":86400,"retry":{"max_attempts":3,"backoff_s":30},"timeout_s":300,"pause_after_failures":10,"output_tokens_per_day":null,"paused":false,"metadata":{}}');
CREATE TABLE automation_runs (
            position      INTEGER PRIMARY KEY AUTOINCREMENT,
            id            TEXT NOT NULL UNIQUE,
            automation    INTEGER NOT NULL REFERENCES automations (position) ON DELETE CASCADE,
            owner         INTEGER NOT NULL,
            revision      INTEGER NOT NULL,
            trigger_type  TEXT NOT NULL,
            key           TEXT NOT NULL,
            due_ms        INTEGER NOT NULL,
            status        TEXT NOT NULL,
            skip_reason   TEXT,
            batch         TEXT,
            fill_values   TEXT NOT NULL,
            is_alone      INTEGER NOT NULL CHECK (is_alone IN (0, 1)),
            max_attempts  INTEGER NOT NULL,
            backoff_s     INTEGER NOT NULL,
            not_before_ms INTEGER,
            session       TEXT,
            question      TEXT,
            error         TEXT NOT NULL,
            missed_count  INTEGER,
            depth         INTEGER NOT NULL,
            created_ms    INTEGER NOT NULL,
            started_ms    INTEGER,
            completed_ms  INTEGER, token TEXT, root TEXT,
            UNIQUE (automation, trigger_type, key)
        ) STRICT;
INSERT INTO 'automation_runs' VALUES (1, 'aru_0VbL0tfkjkvU5gamb6ks96VcF2', 1, 4, 1, 'manual', 'key_0VbL0tfkQqJFqHCC7z41CxSjJs', 1795014734952, 'completed', NULL, NULL, '{"variables":{},"local_date":"2026-11-18","local_time":"15:12"}', 1, 3, 30, NULL, 'ses_0VbL0tfmbhwA7cMygISAcd5WFj', 'msg_0VbL0tfmz8EKb6evhDkEMjVvaa', '', NULL, 1, 1795014734952, 1795014734954, 1795014734976, 'tok_0VbL0tbg9Q2tS6QqUpo6nRgzMq', NULL);
CREATE TABLE attempts (
            row                 INTEGER NOT NULL
                                REFERENCES automation_runs (position) ON DELETE CASCADE,
            number              INTEGER NOT NULL,
            automation          INTEGER NOT NULL,
            run                 TEXT NOT NULL UNIQUE,
            status              TEXT NOT NULL,
            error               TEXT NOT NULL,
            started_ms          INTEGER NOT NULL,
            completed_ms        INTEGER,
            reserved_tokens     INTEGER NOT NULL,
            input_tokens        INTEGER,
            output_tokens       INTEGER,
            cached_input_tokens INTEGER, clock_ms INTEGER,
            PRIMARY KEY (row, number)
        ) STRICT, WITHOUT ROWID;
INSERT INTO 'attempts' VALUES (1, 1, 1, 'run_0VbL0tfmvqgdCAWINN7xlVn7tD', 'completed', '', 1795014734954, 1795014734976, 0, 1, 1, 0, NULL);
CREATE TABLE test_clocks (
            user   TEXT NOT NULL PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
            now_ms INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
CREATE TABLE webhooks (
        position         INTEGER PRIMARY KEY AUTOINCREMENT,
        id               TEXT NOT NULL UNIQUE,
        user             TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        test             INTEGER NOT NULL CHECK (test IN (0, 1)),
        url              TEXT NOT NULL,
        event_types      TEXT NOT NULL,
        scopes           INTEGER NOT NULL,
        payload          TEXT NOT NULL,
        ordered          INTEGER NOT NULL CHECK (ordered IN (0, 1)),
        description      TEXT NOT NULL,
        metadata         TEXT NOT NULL,
        state            TEXT NOT NULL CHECK (state IN ('active', 'disabled')),
        disabled_reason  TEXT,
        secret           BLOB NOT NULL,
        secret_hint      TEXT NOT NULL,
        old_secret       BLOB,
        old_until_ms     INTEGER,
        created_ms       INTEGER NOT NULL,
        updated_ms       INTEGER NOT NULL,
        revision         INTEGER NOT NULL,
        event_cursor     INTEGER NOT NULL,
        last_success_ms  INTEGER,
        last_failure_ms  INTEGER,
        failing_since_ms INTEGER
    , old_secrets BLOB) STRICT;
INSERT INTO 'webhooks' VALUES (1, 'whk_0VbL0tgkOkFkhJ73etFuEADDyq', 'usr_0VbL0tbYxR29X2ZceQUsF6pupz', 0, 'https://example.com/hear', 'automation.*', 110, 'thin', 0, '', '{}', 'disabled', 'user', X'4A8C9F43AACD7CD78E7803FBE01904BEE9C8AE4664EDF9149B99DC11D004218FE5EC11AF9982619ACE79FA28CC4758507A3ABFF1B2108A995CC7B89D4DEDEC35CF35357F8CF4CD72043D78F8630AC33E145E680957BB794B23DA', 'whsec_…Oa4=', NULL, NULL, 1795014735014, 1795014735037, 2, 22, NULL, NULL, NULL, NULL);
CREATE TABLE deliveries (
        position    INTEGER PRIMARY KEY AUTOINCREMENT,
        id          TEXT NOT NULL UNIQUE,
        webhook     INTEGER NOT NULL REFERENCES webhooks (position) ON DELETE CASCADE,
        event       TEXT NOT NULL,
        event_type  TEXT NOT NULL,
        number      INTEGER NOT NULL,
        body        TEXT NOT NULL,
        subject     TEXT NOT NULL,
        parent      TEXT NOT NULL,
        status      TEXT NOT NULL CHECK (status IN ('pending', 'succeeded', 'failed')),
        tries       INTEGER NOT NULL,
        due_ms      INTEGER,
        created_ms  INTEGER NOT NULL,
        ended_ms    INTEGER,
        UNIQUE (webhook, event)
    ) STRICT;
CREATE TABLE delivery_attempts (
        delivery    INTEGER NOT NULL REFERENCES deliveries (position) ON DELETE CASCADE,
        number      INTEGER NOT NULL,
        at_ms       INTEGER NOT NULL,
        status      INTEGER,
        duration_ms INTEGER NOT NULL,
        error       TEXT,
        response    TEXT,
        PRIMARY KEY (delivery, number)
    ) STRICT, WITHOUT ROWID;
CREATE TABLE hooks (
        id           TEXT NOT NULL PRIMARY KEY,
        automation   INTEGER NOT NULL UNIQUE REFERENCES automations (position) ON DELETE CASCADE,
        verify       TEXT NOT NULL,
        secret       BLOB NOT NULL,
        secret_hint  TEXT NOT NULL,
        old_secret   BLOB,
        old_until_ms INTEGER,
        created_ms   INTEGER NOT NULL
    , old_secrets BLOB) STRICT, WITHOUT ROWID;
CREATE TABLE search_docs (
        doc     INTEGER PRIMARY KEY,
        message INTEGER NOT NULL UNIQUE REFERENCES messages (position) ON DELETE CASCADE,
        owner   INTEGER NOT NULL,
        bucket  INTEGER NOT NULL
    ) STRICT;
INSERT INTO 'search_docs' VALUES (1838095088346112, 1, 4, 0);
INSERT INTO 'search_docs' VALUES (1838095088346113, 2, 4, 0);
INSERT INTO 'search_docs' VALUES (1838095088410624, 3, 4, 0);
INSERT INTO 'search_docs' VALUES (1838095088410625, 4, 4, 0);
INSERT INTO 'search_docs' VALUES (1838095088451584, 5, 4, 0);
INSERT INTO 'search_docs' VALUES (1838095088451585, 6, 4, 0);
INSERT INTO 'search_docs' VALUES (1838095088485376, 7, 4, 0);
INSERT INTO 'search_docs' VALUES (1838095088485377, 8, 4, 0);
CREATE TABLE search_buckets (
        owner     INTEGER NOT NULL,
        bucket    INTEGER NOT NULL,
        docs      INTEGER NOT NULL,
        first_doc INTEGER NOT NULL,
        last_doc  INTEGER NOT NULL,
        PRIMARY KEY (owner, bucket)
    ) STRICT, WITHOUT ROWID;
INSERT INTO 'search_buckets' VALUES (4, 0, 8, 1838095088346112, 1838095088485377);
CREATE TABLE imports (
        user        TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        test        INTEGER NOT NULL CHECK (test IN (0, 1)),
        format      TEXT NOT NULL,
        source      BLOB NOT NULL,
        session     INTEGER NOT NULL REFERENCES sessions (position) ON DELETE CASCADE,
        complete    INTEGER NOT NULL CHECK (complete IN (0, 1)),
        imported_ms INTEGER NOT NULL,
        PRIMARY KEY (user, test, format, source)
    ) STRICT, WITHOUT ROWID;
INSERT INTO sqlite_schema VALUES ('table', 'search_words', 'search_words', 0, 'CREATE VIRTUAL TABLE search_words USING fts5 (
        words, content = '''', columnsize = 0, tokenize = "ascii tokenchars '':''"
    )');
CREATE TABLE 'search_words_data'(id INTEGER PRIMARY KEY, block BLOB);
INSERT INTO 'search_words_data' VALUES (1, X'088172');
INSERT INTO 'search_words_data' VALUES (10, X'000000000106060006010101020101030101040101050101060101');
INSERT INTO 'search_words_data' VALUES (137438953473, X'000000830930343A303A626C756583A1F7CDE6B7C80002080502697383A1F7CDE6B7C80002050503736B7983A1F7CDE6B7C8000207050374686583A1F7CDE6B7C8000206050377687983A1F7CDE6B7C80002040504F09F988083A1F7CDE6B7C800020903053A7573657283A1F7CDE6B7C80002030103733A3183A1F7CDE6B7C800020204140E0F0F0F1011');
INSERT INTO 'search_words_data' VALUES (274877906945, X'000000880930343A303A626C756583A1F7CDE6B7C80102080502697383A1F7CDE6B7C80102050503736B7983A1F7CDE6B7C8010207050374686583A1F7CDE6B7C8010206050377687983A1F7CDE6B7C80102040504F09F988083A1F7CDE6B7C8010209030A3A617373697374616E7483A1F7CDE6B7C80102030103733A3183A1F7CDE6B7C801020204140E0F0F0F1016');
INSERT INTO 'search_words_data' VALUES (412316860417, X'000000480830343A303A32303083A1F7CDE6BBC00002050505776F72647383A1F7CDE6BBC000020403053A7573657283A1F7CDE6BBC00002030103733A3183A1F7CDE6BBC000020204131111');
INSERT INTO 'search_words_data' VALUES (549755813889, X'00000AA20730343A303A773183A1F7CDE6BBC001020407013083A1F7CDE6BBC001020D08013083A1F7CDE6BBC001026708013183A1F7CDE6BBC001026808013283A1F7CDE6BBC001026908013383A1F7CDE6BBC001026A08013483A1F7CDE6BBC001026B08013583A1F7CDE6BBC001026C08013683A1F7CDE6BBC001026D08013783A1F7CDE6BBC001026E08013883A1F7CDE6BBC001026F08013983A1F7CDE6BBC001027007013183A1F7CDE6BBC001020E08013083A1F7CDE6BBC001027108013183A1F7CDE6BBC001027208013283A1F7CDE6BBC001027308013383A1F7CDE6BBC001027408013483A1F7CDE6BBC001027508013583A1F7CDE6BBC001027608013683A1F7CDE6BBC001027708013783A1F7CDE6BBC001027808013883A1F7CDE6BBC001027908013983A1F7CDE6BBC001027A07013283A1F7CDE6BBC001020F08013083A1F7CDE6BBC001027B08013183A1F7CDE6BBC001027C08013283A1F7CDE6BBC001027D08013383A1F7CDE6BBC001027E08013483A1F7CDE6BBC001027F08013583A1F7CDE6BBC00104810008013683A1F7CDE6BBC00104810108013783A1F7CDE6BBC00104810208013883A1F7CDE6BBC00104810308013983A1F7CDE6BBC00104810407013383A1F7CDE6BBC001021008013083A1F7CDE6BBC00104810508013183A1F7CDE6BBC00104810608013283A1F7CDE6BBC00104810708013383A1F7CDE6BBC00104810808013483A1F7CDE6BBC00104810908013583A1F7CDE6BBC00104810A08013683A1F7CDE6BBC00104810B08013783A1F7CDE6BBC00104810C08013883A1F7CDE6BBC00104810D08013983A1F7CDE6BBC00104810E07013483A1F7CDE6BBC001021108013083A1F7CDE6BBC00104810F08013183A1F7CDE6BBC00104811008013283A1F7CDE6BBC00104811108013383A1F7CDE6BBC00104811208013483A1F7CDE6BBC00104811308013583A1F7CDE6BBC00104811408013683A1F7CDE6BBC00104811508013783A1F7CDE6BBC00104811608013883A1F7CDE6BBC00104811708013983A1F7CDE6BBC00104811807013583A1F7CDE6BBC001021208013083A1F7CDE6BBC00104811908013183A1F7CDE6BBC00104811A08013283A1F7CDE6BBC00104811B08013383A1F7CDE6BBC00104811C08013483A1F7CDE6BBC00104811D08013583A1F7CDE6BBC00104811E08013683A1F7CDE6BBC00104811F08013783A1F7CDE6BBC00104812008013883A1F7CDE6BBC00104812108013983A1F7CDE6BBC00104812207013683A1F7CDE6BBC001021308013083A1F7CDE6BBC00104812308013183A1F7CDE6BBC00104812408013283A1F7CDE6BBC00104812508013383A1F7CDE6BBC00104812608013483A1F7CDE6BBC00104812708013583A1F7CDE6BBC00104812808013683A1F7CDE6BBC00104812908013783A1F7CDE6BBC00104812A08013883A1F7CDE6BBC00104812B08013983A1F7CDE6BBC00104812C07013783A1F7CDE6BBC001021408013083A1F7CDE6BBC00104812D08013183A1F7CDE6BBC00104812E08013283A1F7CDE6BBC00104812F08013383A1F7CDE6BBC00104813008013483A1F7CDE6BBC00104813108013583A1F7CDE6BBC00104813208013683A1F7CDE6BBC00104813308013783A1F7CDE6BBC00104813408013883A1F7CDE6BBC00104813508013983A1F7CDE6BBC00104813607013883A1F7CDE6BBC001021508013083A1F7CDE6BBC00104813708013183A1F7CDE6BBC00104813808013283A1F7CDE6BBC00104813908013383A1F7CDE6BBC00104813A08013483A1F7CDE6BBC00104813B08013583A1F7CDE6BBC00104813C08013683A1F7CDE6BBC00104813D08013783A1F7CDE6BBC00104813E08013883A1F7CDE6BBC00104813F08013983A1F7CDE6BBC00104814007013983A1F7CDE6BBC001021608013083A1F7CDE6BBC00104814108013183A1F7CDE6BBC00104814208013283A1F7CDE6BBC00104814308013383A1F7CDE6BBC00104814408013483A1F7CDE6BBC00104814508013583A1F7CDE6BBC00104814608013683A1F7CDE6BBC00104814708013783A1F7CDE6BBC00104814808013883A1F7CDE6BBC00104814908013983A1F7CDE6BBC00104814A06013283A1F7CDE6BBC001020507013083A1F7CDE6BBC001021708013083A1F7CDE6BBC00104814B07013183A1F7CDE6BBC001021807013283A1F7CDE6BBC001021907013383A1F7CDE6BBC001021A07013483A1F7CDE6BBC001021B07013583A1F7CDE6BBC001021C07013683A1F7CDE6BBC001021D07013783A1F7CDE6BBC001021E07013883A1F7CDE6BBC001021F07013983A1F7CDE6BBC001022006013383A1F7CDE6BBC001020607013083A1F7CDE6BBC001022107013183A1F7CDE6BBC001022207013283A1F7CDE6BBC001022307013383A1F7CDE6BBC001022407013483A1F7CDE6BBC001022507013583A1F7CDE6BBC001022607013683A1F7CDE6BBC001022707013783A1F7CDE6BBC001022807013883A1F7CDE6BBC001022907013983A1F7CDE6BBC001022A06013483A1F7CDE6BBC001020707013083A1F7CDE6BBC001022B07013183A1F7CDE6BBC001022C07013283A1F7CDE6BBC001022D07013383A1F7CDE6BBC001022E07013483A1F7CDE6BBC001022F07013583A1F7CDE6BBC001023007013683A1F7CDE6BBC001023107013783A1F7CDE6BBC001023207013883A1F7CDE6BBC001023307013983A1F7CDE6BBC001023406013583A1F7CDE6BBC001020807013083A1F7CDE6BBC001023507013183A1F7CDE6BBC001023607013283A1F7CDE6BBC001023707013383A1F7CDE6BBC001023807013483A1F7CDE6BBC001023907013583A1F7CDE6BBC001023A07013683A1F7CDE6BBC001023B07013783A1F7CDE6BBC001023C07013883A1F7CDE6BBC001023D07013983A1F7CDE6BBC001023E06013683A1F7CDE6BBC001020907013083A1F7CDE6BBC001023F07013183A1F7CDE6BBC001024007013283A1F7CDE6BBC001024107013383A1F7CDE6BBC001024207013483A1F7CDE6BBC001024307013583A1F7CDE6BBC001024407013683A1F7CDE6BBC001024507013783A1F7CDE6BBC001024607013883A1F7CDE6BBC001024707013983A1F7CDE6BBC001024806013783A1F7CDE6BBC001020A07013083A1F7CDE6BBC001024907013183A1F7CDE6BBC001024A07013283A1F7CDE6BBC001024B07013383A1F7CDE6BBC001024C07013483A1F7CDE6BBC001024D07013583A1F7CDE6BBC001024E07013683A1F7CDE6BBC001024F07013783A1F7CDE6BBC001025007013883A1F7CDE6BBC001025107013983A1F7CDE6BBC001025206013883A1F7CDE6BBC001020B07013083A1F7CDE6BBC001025307013183A1F7CDE6BBC001025407013283A1F7CDE6BBC001025507013383A1F7CDE6BBC001025607013483A1F7CDE6BBC001025707013583A1F7CDE6BBC001025807013683A1F7CDE6BBC001025907013783A1F7CDE6BBC001025A07013883A1F7CDE6BBC001025B07013983A1F7CDE6BBC001025C06013983A1F7CDE6BBC001020C07013083A1F7CDE6BBC001025D07013183A1F7CDE6BBC001025E07013283A1F7CDE6BBC001025F07013383A1F7CDE6BBC001026007013483A1F7CDE6BBC001026107013583A1F7CDE6BBC001026207013683A1F7CDE6BBC001026307013783A1F7CDE6BBC001026407013883A1F7CDE6BBC001026507013983A1F7CDE6BBC0010266030A3A617373697374616E7483A1F7CDE6BBC00102030103733A3183A1F7CDE6BBC001020204120D0D0D0D0D0D0D0D0D0D0D0D0D0D0D0D0D0D0D0D0D0D0D0D0D0D0D0D0E0E0E0E0E0D0E0E0E0E0E0E0E0E0E0E0D0E0E0E0E0E0E0E0E0E0E0D0E0E0E0E0E0E0E0E0E0E0D0E0E0E0E0E0E0E0E0E0E0D0E0E0E0E0E0E0E0E0E0E0D0E0E0E0E0E0E0E0E0E0E0D0E0E0E0E0E0E0E0E0E0E0D0D0E0D0D0D0D0D0D0D0D0D0D0D0D0D0D0D0D0D0D0D0D0D0D0D0D0D0D0D0D0D0D0D0D0D0D0D0D0D0D0D0D0D0D0D0D0D0D0D0D0D0D0D0D0D0D0D0D0D0D0D0D0D0D0D0D0D0D0D0D0D0D0D0D0D0D0D0D0D0D0D0D0D0D0D0D0D0D16');
INSERT INTO 'search_words_data' VALUES (687194767361, X'000000690A30343A303A616761696E83A1F7CDE6BE800002040102040506706C6561736583A1F7CDE6BE80000205010205030A3A617373697374616E7483A1F7CDE6BE8001020304047573657283A1F7CDE6BE800002030103733A3183A1F7CDE6BE800002020102020418151610');
INSERT INTO 'search_words_data' VALUES (824633720833, X'000000B30630343A303A3383A1F7CDE6C08800020805013983A1F7CDE6C0880002050505616674657283A1F7CDE6C08800020705046661696C83A1F7CDE6C0880002060502773183A1F7CDE6C08801020406013283A1F7CDE6C08801020506013383A1F7CDE6C08801020606046F72647383A1F7CDE6C088000204030A3A617373697374616E7483A1F7CDE6C08801020304047573657283A1F7CDE6C0880002030103733A3283A1F7CDE6C08800020201020204110D11100E0D0D101610');
CREATE TABLE 'search_words_idx'(segid, term, pgno, PRIMARY KEY(segid, term)) WITHOUT ROWID;
INSERT INTO 'search_words_idx' VALUES (1, X'', 2);
INSERT INTO 'search_words_idx' VALUES (2, X'', 2);
INSERT INTO 'search_words_idx' VALUES (3, X'', 2);
INSERT INTO 'search_words_idx' VALUES (4, X'', 2);
INSERT INTO 'search_words_idx' VALUES (5, X'', 2);
INSERT INTO 'search_words_idx' VALUES (6, X'', 2);
CREATE TABLE 'search_words_config'(k PRIMARY KEY, v) WITHOUT ROWID;
INSERT INTO 'search_words_config' VALUES ('version', 4);
CREATE TABLE search_leftovers (
        doc     INTEGER PRIMARY KEY,
        owner   INTEGER NOT NULL,
        bucket  INTEGER NOT NULL,
        session INTEGER NOT NULL,
        speaker TEXT NOT NULL,
        parts   BLOB NOT NULL
    ) STRICT;
CREATE TABLE images (
        position   INTEGER PRIMARY KEY AUTOINCREMENT,
        user       TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        test       INTEGER NOT NULL CHECK (test IN (0, 1)),
        sha256     TEXT NOT NULL,
        media_type TEXT NOT NULL,
        bytes      BLOB NOT NULL,
        UNIQUE (user, test, sha256)
    ) STRICT;
CREATE TABLE message_images (
        message INTEGER NOT NULL REFERENCES messages (position) ON DELETE CASCADE,
        image   INTEGER NOT NULL REFERENCES images (position) ON DELETE CASCADE,
        session INTEGER NOT NULL,
        PRIMARY KEY (message, image)
    ) STRICT, WITHOUT ROWID;
CREATE TABLE recovery_codes (
        user TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        code BLOB NOT NULL,
        PRIMARY KEY (user, code)
    ) STRICT, WITHOUT ROWID;
CREATE TABLE run_turns (
        person INTEGER NOT NULL,
        line   INTEGER NOT NULL CHECK (line IN (0, 1)),
        turn   INTEGER NOT NULL,
        PRIMARY KEY (person, line)
    ) STRICT, WITHOUT ROWID;
CREATE TABLE token_usage (
        position            INTEGER PRIMARY KEY AUTOINCREMENT,
        user                TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        test                INTEGER NOT NULL CHECK (test IN (0, 1)),
        day                 INTEGER NOT NULL,
        model               TEXT NOT NULL,
        requests            INTEGER NOT NULL,
        input_tokens        INTEGER NOT NULL,
        output_tokens       INTEGER NOT NULL,
        cached_input_tokens INTEGER NOT NULL,
        UNIQUE (user, test, day, model)
    ) STRICT;
INSERT INTO 'token_usage' VALUES (1, 'usr_0VbL0tbYxR29X2ZceQUsF6pupz', 0, 20775, 'scripted', 6, 49, 217, 0);
CREATE TABLE token_reservations (
        id         TEXT NOT NULL PRIMARY KEY,
        user       TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        tokens     INTEGER NOT NULL,
        expires_ms INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
CREATE INDEX active_operators ON users (role) WHERE role = 'operator' AND disabled = 0;
CREATE INDEX tokens_of_user ON tokens (user, login);
CREATE INDEX tokens_of_login ON tokens (login) WHERE login IS NOT NULL;
CREATE INDEX tokens_by_end ON tokens (ends_ms) WHERE ends_ms IS NOT NULL;
CREATE INDEX client_tokens ON tokens (kind) WHERE kind = 'c';
CREATE INDEX sessions_by_creation ON sessions (user, test);
CREATE INDEX sessions_by_activity ON sessions (user, test, activity);
CREATE INDEX archived_sessions_by_creation ON sessions (user, test, archived);
CREATE INDEX archived_sessions_by_activity ON sessions (user, test, archived, activity);
CREATE INDEX branches_of_session ON branches (session);
CREATE INDEX siblings ON messages (session, parent);
CREATE INDEX runs_of_session ON runs (session);
CREATE INDEX unfinished_runs ON runs (session) WHERE completed_ms IS NULL;
CREATE UNIQUE INDEX invitations ON users (invitation) WHERE invitation IS NOT NULL;
CREATE INDEX audit_by_actor ON audit (actor);
CREATE INDEX audit_by_action ON audit (action);
CREATE INDEX audit_by_target ON audit (target);
CREATE INDEX idempotency_keys_by_end ON idempotency_keys (expires_ms);
CREATE INDEX runs_of_owner ON runs (owner);
CREATE INDEX runs_of_owner_by_status ON runs (owner, status);
CREATE INDEX runs_with_frames ON runs (kept_since_ms) WHERE frames_kept = 1;
CREATE INDEX event_heads_by_age ON event_heads (oldest_ms);
CREATE INDEX sessions_of_automation ON sessions (automation) WHERE automation IS NOT NULL;
CREATE INDEX automations_of_user ON automations (user, test);
CREATE INDEX due_automations ON automations (next_ms)
            WHERE state = 'active' AND next_ms IS NOT NULL;
CREATE INDEX listening_automations ON automations (user, test)
            WHERE state = 'active' AND listens = 1;
CREATE INDEX automations_by_session ON automations (session) WHERE session IS NOT NULL;
CREATE INDEX rows_of_automation ON automation_runs (automation);
CREATE INDEX rows_of_revision ON automation_runs (automation, revision);
CREATE INDEX rows_of_owner ON automation_runs (owner);
CREATE INDEX unfinished_rows ON automation_runs (automation)
            WHERE status IN ('queued', 'running', 'waiting');
CREATE INDEX waiting_rows ON automation_runs (owner, not_before_ms)
            WHERE status IN ('queued', 'waiting');
CREATE INDEX running_rows ON automation_runs (status) WHERE status = 'running';
CREATE INDEX rows_of_session ON automation_runs (session) WHERE session IS NOT NULL;
CREATE INDEX ended_rows ON automation_runs (completed_ms) WHERE completed_ms IS NOT NULL;
CREATE INDEX attempts_by_start ON attempts (automation, started_ms);
CREATE INDEX attempts_by_time ON attempts (started_ms);
CREATE INDEX rows_by_status ON automation_runs (automation, status)
            WHERE status <> 'completed';
CREATE INDEX rows_of_owner_by_status ON automation_runs (owner, status)
            WHERE status <> 'completed';
CREATE INDEX rows_by_trigger ON automation_runs (automation, trigger_type)
            WHERE trigger_type <> 'schedule';
CREATE INDEX rows_of_owner_by_trigger ON automation_runs (owner, trigger_type)
            WHERE trigger_type <> 'schedule';
CREATE INDEX rows_of_batch ON automation_runs (batch) WHERE batch IS NOT NULL;
CREATE INDEX webhooks_of_user ON webhooks (user, test);
CREATE INDEX active_webhooks ON webhooks (position) WHERE state = 'active';
CREATE INDEX deliveries_of_webhook ON deliveries (webhook);
CREATE INDEX deliveries_by_status ON deliveries (webhook, status);
CREATE INDEX deliveries_by_number ON deliveries (webhook, number);
CREATE INDEX due_deliveries ON deliveries (webhook, due_ms, number)
        WHERE status = 'pending';
CREATE INDEX pending_deliveries ON deliveries (webhook, number) WHERE status = 'pending';
CREATE INDEX ended_deliveries ON deliveries (ended_ms) WHERE ended_ms IS NOT NULL;
CREATE INDEX removed_automations ON automations (position) WHERE removed = 1;
CREATE INDEX imports_by_session ON imports (session);
CREATE TRIGGER keep_indexed_text BEFORE DELETE ON messages BEGIN
        INSERT INTO search_leftovers (doc, owner, bucket, session, speaker, parts)
            SELECT doc, owner, bucket, old.session, old.speaker, old.parts FROM search_docs
            WHERE message = old.position;
    END;
CREATE TRIGGER lower_search_mark AFTER DELETE ON messages BEGIN
        UPDATE counters SET value = (SELECT coalesce(max(position), 0) FROM messages)
            WHERE name = 'searchable'
            AND value > (SELECT coalesce(max(position), 0) FROM messages);
    END;
CREATE INDEX rows_of_root ON automation_runs (root) WHERE root IS NOT NULL;
CREATE INDEX messages_of_image ON message_images (image);
CREATE INDEX images_of_session ON message_images (session);
CREATE UNIQUE INDEX reset_codes ON users (reset_code) WHERE reset_code IS NOT NULL;
CREATE INDEX usage_of_user ON token_usage (user, test, day);
CREATE INDEX usage_by_day ON token_usage (test, day);
CREATE INDEX reservations_of_user ON token_reservations (user);
PRAGMA writable_schema = OFF;
COMMIT;
