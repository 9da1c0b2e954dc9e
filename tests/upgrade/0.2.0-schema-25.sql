-- A data directory of 0.2.0
-- token plp_cZSH8AhLbqqJ5iPFsMk2rrhEMjYljeNs3LsPlu
-- secrets {"hook": {"id": "hok_0VbTAQ9xi766ShEIdA4ATfLzv7", "url": "/v1/api/hooks/hok_0VbTAQ9xi766ShEIdA4ATfLzv7", "secret_hint": "plh_\u2026UFVB", "secret": "plh_k34GNGHhsgBaOL03QQouZkLEGlSVg4uQ4LUFVB", "old_secret_until": null}, "totp": "ZVQTV6ICTXVOGZ732UMM6C6BFKXUXOFC", "recovery_code": "6b3e-r3dl-wyc6-3fy3-pytg-fz33", "image": {"type": "image", "media_type": "image/png", "sha256": "167799f62b6faebd9a6b74efd129e8e772e92d017531759a9fb6485394b88c69", "url": "/v1/api/chat/images/167799f62b6faebd9a6b74efd129e8e772e92d017531759a9fb6485394b88c69"}}
-- file client-token 706c635f78526875675a3545585a536a7465314473466c537a4b3879336f585939466935334d47446a48
-- said /me {"object": "user", "id": "usr_0VbTAQ9CLXFx9lZwEl6Oaxh3RO", "username": "ana", "display_name": "Ana \u00dcnal", "role": "member", "disabled": false, "created_at": "2026-11-20T00:40:15.426Z", "last_login_at": null, "limits": {"chat": null, "general": null, "automation": null}, "budget": {"output_tokens_per_day": null}, "retention_days": null, "second_factor": false}
-- said /tokens {"object": "list", "data": [{"object": "api_token", "id": "tok_0VbTAQ9FW5Uj76a9BAHzHMGRzk", "name": "from above", "kind": "personal", "scopes": ["chat:read", "chat:write", "account", "automation:read", "automation:write"], "hint": "plp_\u2026sPlu", "created_at": "2026-11-20T00:40:15.429Z", "created_by": "usr_0VbTAQ8hqlOqCG1Taycf7GZ5iX", "last_used_at": "2026-11-20T00:40:15.431Z", "expires_at": null, "limits": {"chat": null, "general": null, "automation": null}}], "has_more": false, "next_cursor": null}
-- said /chat/sessions?limit=100 {"object": "list", "data": [{"object": "chat.session", "id": "ses_0VbTAQA5AzxNjSvlnOqmvzcujp", "title": "What is this?", "instructions": null, "model": null, "archived": false, "message_count": 2, "active_run_ids": [], "created_at": "2026-11-20T00:40:15.481Z", "updated_at": "2026-11-20T00:40:15.482Z", "last_message_at": "2026-11-20T00:40:15.482Z", "automation_id": null, "keep": false, "metadata": {}}, {"object": "chat.session", "id": "ses_0VbTAQA2vl7znvVGDRMNtGVaVi", "title": "hooked", "instructions": null, "model": null, "archived": false, "message_count": 2, "active_run_ids": [], "created_at": "2026-11-20T00:40:15.478Z", "updated_at": "2026-11-20T00:40:15.479Z", "last_message_at": "2026-11-20T00:40:15.479Z", "automation_id": "aut_0VbTAQ9xaKxyRdhuIhTTv23xu6", "keep": false, "metadata": {}}, {"object": "chat.session", "id": "ses_0VbTAQ9XBWLGhLpFfXEnLLnRxR", "title": "daily", "instructions": null, "model": null, "archived": false, "message_count": 2, "active_run_ids": [], "created_at": "2026-11-20T00:40:15.447Z", "updated_at": "2026-11-20T00:40:15.449Z", "last_message_at": "2026-11-20T00:40:15.449Z", "automation_id": "aut_0VbTAQ9TnlZNTj3d5sYSGXHKWy", "keep": false, "metadata": {}}, {"object": "chat.session", "id": "ses_0VbTAQ9SOXt3ibr2bmWCUzL6c6", "title": "Kept", "instructions": null, "model": null, "archived": false, "message_count": 2, "active_run_ids": [], "created_at": "2026-11-20T00:40:15.442Z", "updated_at": "2026-11-20T00:40:15.443Z", "last_message_at": "2026-11-20T00:40:15.442Z", "automation_id": null, "keep": true, "metadata": {}}, {"object": "chat.session", "id": "ses_0VbTAQ9Q4Z2KcLoh7OX3BFoJBa", "title": "{words:9} {fail_after:3}", "instructions": null, "model": null, "archived": false, "message_count": 2, "active_run_ids": [], "created_at": "2026-11-20T00:40:15.440Z", "updated_at": "2026-11-20T00:40:15.441Z", "last_message_at": "2026-11-20T00:40:15.441Z", "automation_id": null, "keep": false, "metadata": {}}, {"object": "chat.session", "id": "ses_0VbTAQ9HqQts5QXvWvDFrWXQDT", "title": "Why is the sky blue? '--; \u2028 \ud83d\ude00", "instructions": null, "model": null, "archived": false, "message_count": 6, "active_run_ids": [], "created_at": "2026-11-20T00:40:15.431Z", "updated_at": "2026-11-20T00:40:15.439Z", "last_message_at": "2026-11-20T00:40:15.439Z", "automation_id": null, "keep": false, "metadata": {}}], "has_more": false, "next_cursor": null}
-- said /chat/sessions/ses_0VbTAQA5AzxNjSvlnOqmvzcujp/messages?limit=100 {"object": "list", "data": [{"object": "chat.message", "id": "msg_0VbTAQA5gDKi3YQ470EejlPpTC", "session_id": "ses_0VbTAQA5AzxNjSvlnOqmvzcujp", "parent_id": null, "role": "user", "content": [{"type": "text", "text": "What is this?"}, {"type": "image", "media_type": "image/png", "sha256": "167799f62b6faebd9a6b74efd129e8e772e92d017531759a9fb6485394b88c69", "url": "/v1/api/chat/images/167799f62b6faebd9a6b74efd129e8e772e92d017531759a9fb6485394b88c69"}], "created_at": "2026-11-20T00:40:15.481Z", "metadata": {}, "sibling_ids": ["msg_0VbTAQA5gDKi3YQ470EejlPpTC"]}, {"object": "chat.message", "id": "msg_0VbTAQA5y5AQ4pZnJLuidOKdH7", "session_id": "ses_0VbTAQA5AzxNjSvlnOqmvzcujp", "parent_id": "msg_0VbTAQA5gDKi3YQ470EejlPpTC", "role": "assistant", "content": [{"type": "text", "text": "One two thr\u00e9e four."}], "stop_reason": "end_turn", "model": "ok", "run_id": "run_0VbTAQA5BKZjBIYFL8o82rHrqs", "created_at": "2026-11-20T00:40:15.481Z", "metadata": {}, "sibling_ids": ["msg_0VbTAQA5y5AQ4pZnJLuidOKdH7"]}], "has_more": false, "next_cursor": null}
-- said /chat/sessions/ses_0VbTAQA2vl7znvVGDRMNtGVaVi/messages?limit=100 {"object": "list", "data": [{"object": "chat.message", "id": "msg_0VbTAQA2mgzthV7FkXRGlOIHf5", "session_id": "ses_0VbTAQA2vl7znvVGDRMNtGVaVi", "parent_id": null, "role": "user", "content": [{"type": "text", "text": "Called: first"}], "created_at": "2026-11-20T00:40:15.478Z", "metadata": {}, "sibling_ids": ["msg_0VbTAQA2mgzthV7FkXRGlOIHf5"]}, {"object": "chat.message", "id": "msg_0VbTAQA2gTs3jSHGumOF8dNixO", "session_id": "ses_0VbTAQA2vl7znvVGDRMNtGVaVi", "parent_id": "msg_0VbTAQA2mgzthV7FkXRGlOIHf5", "role": "assistant", "content": [{"type": "text", "text": "Called: first"}], "stop_reason": "end_turn", "model": "scripted", "run_id": "run_0VbTAQA2FMhpdX9zwHbYzTV9Kk", "created_at": "2026-11-20T00:40:15.478Z", "metadata": {}, "sibling_ids": ["msg_0VbTAQA2gTs3jSHGumOF8dNixO"]}], "has_more": false, "next_cursor": null}
-- said /chat/sessions/ses_0VbTAQ9XBWLGhLpFfXEnLLnRxR/messages?limit=100 {"object": "list", "data": [{"object": "chat.message", "id": "msg_0VbTAQ9XvW6ho0nGjEFWvj6Dgi", "session_id": "ses_0VbTAQ9XBWLGhLpFfXEnLLnRxR", "parent_id": null, "role": "user", "content": [{"type": "text", "text": "hello"}], "created_at": "2026-11-20T00:40:15.447Z", "metadata": {}, "sibling_ids": ["msg_0VbTAQ9XvW6ho0nGjEFWvj6Dgi"]}, {"object": "chat.message", "id": "msg_0VbTAQ9XWE3sdkMBSOju6f3R1H", "session_id": "ses_0VbTAQ9XBWLGhLpFfXEnLLnRxR", "parent_id": "msg_0VbTAQ9XvW6ho0nGjEFWvj6Dgi", "role": "assistant", "content": [{"type": "text", "text": "hello"}], "stop_reason": "end_turn", "model": "scripted", "run_id": "run_0VbTAQ9XEvIW4W0aye0ErtZkRm", "created_at": "2026-11-20T00:40:15.447Z", "metadata": {}, "sibling_ids": ["msg_0VbTAQ9XWE3sdkMBSOju6f3R1H"]}], "has_more": false, "next_cursor": null}
-- said /chat/sessions/ses_0VbTAQ9SOXt3ibr2bmWCUzL6c6/messages?limit=100 {"object": "list", "data": [{"object": "chat.message", "id": "msg_0VbTAQ9SBzht6gJh6Obfcoi4zG", "session_id": "ses_0VbTAQ9SOXt3ibr2bmWCUzL6c6", "parent_id": null, "role": "user", "content": [{"type": "text", "text": "A second session"}], "created_at": "2026-11-20T00:40:15.442Z", "metadata": {"k": "v"}, "sibling_ids": ["msg_0VbTAQ9SBzht6gJh6Obfcoi4zG"]}, {"object": "chat.message", "id": "msg_0VbTAQ9SsPhcHQM3HEwlBZh0BU", "session_id": "ses_0VbTAQ9SOXt3ibr2bmWCUzL6c6", "parent_id": "msg_0VbTAQ9SBzht6gJh6Obfcoi4zG", "role": "assistant", "content": [{"type": "text", "text": "A second session"}], "stop_reason": "end_turn", "model": "scripted", "run_id": "run_0VbTAQ9SVfACONfzVjNZ0H4SAz", "created_at": "2026-11-20T00:40:15.442Z", "metadata": {}, "sibling_ids": ["msg_0VbTAQ9SsPhcHQM3HEwlBZh0BU"]}], "has_more": false, "next_cursor": null}
-- said /chat/sessions/ses_0VbTAQ9Q4Z2KcLoh7OX3BFoJBa/messages?limit=100 {"object": "list", "data": [{"object": "chat.message", "id": "msg_0VbTAQ9QTAn1b3QxAqViHCHIc6", "session_id": "ses_0VbTAQ9Q4Z2KcLoh7OX3BFoJBa", "parent_id": null, "role": "user", "content": [{"type": "text", "text": "{words:9} {fail_after:3}"}], "created_at": "2026-11-20T00:40:15.440Z", "metadata": {}, "sibling_ids": ["msg_0VbTAQ9QTAn1b3QxAqViHCHIc6"]}, {"object": "chat.message", "id": "msg_0VbTAQ9Qg78R3PgcvAMqSYaXin", "session_id": "ses_0VbTAQ9Q4Z2KcLoh7OX3BFoJBa", "parent_id": "msg_0VbTAQ9QTAn1b3QxAqViHCHIc6", "role": "assistant", "content": [{"type": "text", "text": "w1 w2 w3"}], "stop_reason": "error", "model": "scripted", "run_id": "run_0VbTAQ9QmLtDbDvVkzWf28M7L4", "created_at": "2026-11-20T00:40:15.440Z", "metadata": {}, "sibling_ids": ["msg_0VbTAQ9Qg78R3PgcvAMqSYaXin"]}], "has_more": false, "next_cursor": null}
-- said /chat/sessions/ses_0VbTAQ9HqQts5QXvWvDFrWXQDT/messages?limit=100 {"object": "list", "data": [{"object": "chat.message", "id": "msg_0VbTAQ9HOeurwhzMz6KIIdn84C", "session_id": "ses_0VbTAQ9HqQts5QXvWvDFrWXQDT", "parent_id": null, "role": "user", "content": [{"type": "text", "text": "Why is the sky blue?\n'--; \u2028 \ud83d\ude00"}], "created_at": "2026-11-20T00:40:15.431Z", "metadata": {}, "sibling_ids": ["msg_0VbTAQ9HOeurwhzMz6KIIdn84C"]}, {"object": "chat.message", "id": "msg_0VbTAQ9HRqgOrQNW0zswlR4aRz", "session_id": "ses_0VbTAQ9HqQts5QXvWvDFrWXQDT", "parent_id": "msg_0VbTAQ9HOeurwhzMz6KIIdn84C", "role": "assistant", "content": [{"type": "text", "text": "Why is the sky blue?\n'--; \u2028 \ud83d\ude00"}], "stop_reason": "end_turn", "model": "scripted", "run_id": "run_0VbTAQ9HuFw1909tQ60D16LDcp", "created_at": "2026-11-20T00:40:15.431Z", "metadata": {}, "sibling_ids": ["msg_0VbTAQ9HRqgOrQNW0zswlR4aRz"]}, {"object": "chat.message", "id": "msg_0VbTAQ9OAHfhMbYqpoEwBtTHvb", "session_id": "ses_0VbTAQ9HqQts5QXvWvDFrWXQDT", "parent_id": "msg_0VbTAQ9HRqgOrQNW0zswlR4aRz", "role": "user", "content": [{"type": "text", "text": "Again, please"}], "created_at": "2026-11-20T00:40:15.438Z", "metadata": {}, "sibling_ids": ["msg_0VbTAQ9LA75M4QTbq19Xjm9Fym", "msg_0VbTAQ9OAHfhMbYqpoEwBtTHvb"]}, {"object": "chat.message", "id": "msg_0VbTAQ9ORrEwU2ucsyBroos4Ur", "session_id": "ses_0VbTAQ9HqQts5QXvWvDFrWXQDT", "parent_id": "msg_0VbTAQ9OAHfhMbYqpoEwBtTHvb", "role": "assistant", "content": [{"type": "text", "text": "Again, please"}], "stop_reason": "end_turn", "model": "scripted", "run_id": "run_0VbTAQ9OJBRyeCXrJsSk7xPyhW", "created_at": "2026-11-20T00:40:15.438Z", "metadata": {}, "sibling_ids": ["msg_0VbTAQ9ORrEwU2ucsyBroos4Ur"]}], "has_more": false, "next_cursor": null}
-- said /chat/runs?limit=100 {"object": "list", "data": [{"object": "chat.run", "id": "run_0VbTAQA5BKZjBIYFL8o82rHrqs", "status": "completed", "session_id": "ses_0VbTAQA5AzxNjSvlnOqmvzcujp", "automation_run_id": null, "model": "ok", "queue_position": null, "created_at": "2026-11-20T00:40:15.481Z", "started_at": "2026-11-20T00:40:15.481Z", "completed_at": "2026-11-20T00:40:15.482Z", "user_message": {"object": "chat.message", "id": "msg_0VbTAQA5gDKi3YQ470EejlPpTC", "session_id": "ses_0VbTAQA5AzxNjSvlnOqmvzcujp", "parent_id": null, "role": "user", "content": [{"type": "text", "text": "What is this?"}, {"type": "image", "media_type": "image/png", "sha256": "167799f62b6faebd9a6b74efd129e8e772e92d017531759a9fb6485394b88c69", "url": "/v1/api/chat/images/167799f62b6faebd9a6b74efd129e8e772e92d017531759a9fb6485394b88c69"}], "created_at": "2026-11-20T00:40:15.481Z", "metadata": {}}, "message": {"object": "chat.message", "id": "msg_0VbTAQA5y5AQ4pZnJLuidOKdH7", "session_id": "ses_0VbTAQA5AzxNjSvlnOqmvzcujp", "parent_id": "msg_0VbTAQA5gDKi3YQ470EejlPpTC", "role": "assistant", "content": [{"type": "text", "text": "One two thr\u00e9e four."}], "stop_reason": "end_turn", "model": "ok", "run_id": "run_0VbTAQA5BKZjBIYFL8o82rHrqs", "created_at": "2026-11-20T00:40:15.481Z", "metadata": {}}, "output": null, "usage": {"input_tokens": 11, "output_tokens": 5, "total_tokens": 16, "cached_input_tokens": 4}, "error": null, "metadata": {}}, {"object": "chat.run", "id": "run_0VbTAQA2FMhpdX9zwHbYzTV9Kk", "status": "completed", "session_id": "ses_0VbTAQA2vl7znvVGDRMNtGVaVi", "automation_run_id": "aru_0VbTAQA1wZxbvcVUHrakgFroAu", "model": "scripted", "queue_position": null, "created_at": "2026-11-20T00:40:15.478Z", "started_at": "2026-11-20T00:40:15.478Z", "completed_at": "2026-11-20T00:40:15.479Z", "user_message": {"object": "chat.message", "id": "msg_0VbTAQA2mgzthV7FkXRGlOIHf5", "session_id": "ses_0VbTAQA2vl7znvVGDRMNtGVaVi", "parent_id": null, "role": "user", "content": [{"type": "text", "text": "Called: first"}], "created_at": "2026-11-20T00:40:15.478Z", "metadata": {}}, "message": {"object": "chat.message", "id": "msg_0VbTAQA2gTs3jSHGumOF8dNixO", "session_id": "ses_0VbTAQA2vl7znvVGDRMNtGVaVi", "parent_id": "msg_0VbTAQA2mgzthV7FkXRGlOIHf5", "role": "assistant", "content": [{"type": "text", "text": "Called: first"}], "stop_reason": "end_turn", "model": "scripted", "run_id": "run_0VbTAQA2FMhpdX9zwHbYzTV9Kk", "created_at": "2026-11-20T00:40:15.478Z", "metadata": {}}, "output": null, "usage": {"input_tokens": 2, "output_tokens": 2, "total_tokens": 4, "cached_input_tokens": 0}, "error": null, "metadata": {}}, {"object": "chat.run", "id": "run_0VbTAQ9XEvIW4W0aye0ErtZkRm", "status": "completed", "session_id": "ses_0VbTAQ9XBWLGhLpFfXEnLLnRxR", "automation_run_id": "aru_0VbTAQ9VVI0m8L3HTOn5PMO1XY", "model": "scripted", "queue_position": null, "created_at": "2026-11-20T00:40:15.447Z", "started_at": "2026-11-20T00:40:15.447Z", "completed_at": "2026-11-20T00:40:15.449Z", "user_message": {"object": "chat.message", "id": "msg_0VbTAQ9XvW6ho0nGjEFWvj6Dgi", "session_id": "ses_0VbTAQ9XBWLGhLpFfXEnLLnRxR", "parent_id": null, "role": "user", "content": [{"type": "text", "text": "hello"}], "created_at": "2026-11-20T00:40:15.447Z", "metadata": {}}, "message": {"object": "chat.message", "id": "msg_0VbTAQ9XWE3sdkMBSOju6f3R1H", "session_id": "ses_0VbTAQ9XBWLGhLpFfXEnLLnRxR", "parent_id": "msg_0VbTAQ9XvW6ho0nGjEFWvj6Dgi", "role": "assistant", "content": [{"type": "text", "text": "hello"}], "stop_reason": "end_turn", "model": "scripted", "run_id": "run_0VbTAQ9XEvIW4W0aye0ErtZkRm", "created_at": "2026-11-20T00:40:15.447Z", "metadata": {}}, "output": null, "usage": {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2, "cached_input_tokens": 0}, "error": null, "metadata": {}}, {"object": "chat.run", "id": "run_0VbTAQ9SVfACONfzVjNZ0H4SAz", "status": "completed", "session_id": "ses_0VbTAQ9SOXt3ibr2bmWCUzL6c6", "automation_run_id": null, "model": "scripted", "queue_position": null, "created_at": "2026-11-20T00:40:15.442Z", "started_at": "2026-11-20T00:40:15.442Z", "completed_at": "2026-11-20T00:40:15.442Z", "user_message": {"object": "chat.message", "id": "msg_0VbTAQ9SBzht6gJh6Obfcoi4zG", "session_id": "ses_0VbTAQ9SOXt3ibr2bmWCUzL6c6", "parent_id": null, "role": "user", "content": [{"type": "text", "text": "A second session"}], "created_at": "2026-11-20T00:40:15.442Z", "metadata": {"k": "v"}}, "message": {"object": "chat.message", "id": "msg_0VbTAQ9SsPhcHQM3HEwlBZh0BU", "session_id": "ses_0VbTAQ9SOXt3ibr2bmWCUzL6c6", "parent_id": "msg_0VbTAQ9SBzht6gJh6Obfcoi4zG", "role": "assistant", "content": [{"type": "text", "text": "A second session"}], "stop_reason": "end_turn", "model": "scripted", "run_id": "run_0VbTAQ9SVfACONfzVjNZ0H4SAz", "created_at": "2026-11-20T00:40:15.442Z", "metadata": {}}, "output": null, "usage": {"input_tokens": 3, "output_tokens": 3, "total_tokens": 6, "cached_input_tokens": 0}, "error": null, "metadata": {"k": "v"}}, {"object": "chat.run", "id": "run_0VbTAQ9QmLtDbDvVkzWf28M7L4", "status": "failed", "session_id": "ses_0VbTAQ9Q4Z2KcLoh7OX3BFoJBa", "automation_run_id": null, "model": "scripted", "queue_position": null, "created_at": "2026-11-20T00:40:15.440Z", "started_at": "2026-11-20T00:40:15.440Z", "completed_at": "2026-11-20T00:40:15.441Z", "user_message": {"object": "chat.message", "id": "msg_0VbTAQ9QTAn1b3QxAqViHCHIc6", "session_id": "ses_0VbTAQ9Q4Z2KcLoh7OX3BFoJBa", "parent_id": null, "role": "user", "content": [{"type": "text", "text": "{words:9} {fail_after:3}"}], "created_at": "2026-11-20T00:40:15.440Z", "metadata": {}}, "message": {"object": "chat.message", "id": "msg_0VbTAQ9Qg78R3PgcvAMqSYaXin", "session_id": "ses_0VbTAQ9Q4Z2KcLoh7OX3BFoJBa", "parent_id": "msg_0VbTAQ9QTAn1b3QxAqViHCHIc6", "role": "assistant", "content": [{"type": "text", "text": "w1 w2 w3"}], "stop_reason": "error", "model": "scripted", "run_id": "run_0VbTAQ9QmLtDbDvVkzWf28M7L4", "created_at": "2026-11-20T00:40:15.440Z", "metadata": {}}, "output": null, "usage": {"input_tokens": 2, "output_tokens": 3, "total_tokens": 5, "cached_input_tokens": 0}, "error": {"type": "/problems/upstream_error", "title": "The model's server failed", "status": 502, "detail": "The scripted model failed, as the message requested", "code": "upstream_error"}, "metadata": {}}, {"object": "chat.run", "id": "run_0VbTAQ9OJBRyeCXrJsSk7xPyhW", "status": "completed", "session_id": "ses_0VbTAQ9HqQts5QXvWvDFrWXQDT", "automation_run_id": null, "model": "scripted", "queue_position": null, "created_at": "2026-11-20T00:40:15.438Z", "started_at": "2026-11-20T00:40:15.438Z", "completed_at": "2026-11-20T00:40:15.439Z", "user_message": {"object": "chat.message", "id": "msg_0VbTAQ9OAHfhMbYqpoEwBtTHvb", "session_id": "ses_0VbTAQ9HqQts5QXvWvDFrWXQDT", "parent_id": "msg_0VbTAQ9HRqgOrQNW0zswlR4aRz", "role": "user", "content": [{"type": "text", "text": "Again, please"}], "created_at": "2026-11-20T00:40:15.438Z", "metadata": {}}, "message": {"object": "chat.message", "id": "msg_0VbTAQ9ORrEwU2ucsyBroos4Ur", "session_id": "ses_0VbTAQ9HqQts5QXvWvDFrWXQDT", "parent_id": "msg_0VbTAQ9OAHfhMbYqpoEwBtTHvb", "role": "assistant", "content": [{"type": "text", "text": "Again, please"}], "stop_reason": "end_turn", "model": "scripted", "run_id": "run_0VbTAQ9OJBRyeCXrJsSk7xPyhW", "created_at": "2026-11-20T00:40:15.438Z", "metadata": {}}, "output": null, "usage": {"input_tokens": 18, "output_tokens": 2, "total_tokens": 20, "cached_input_tokens": 0}, "error": null, "metadata": {}}, {"object": "chat.run", "id": "run_0VbTAQ9L8aETuA07GOPRaKgX7W", "status": "completed", "session_id": "ses_0VbTAQ9HqQts5QXvWvDFrWXQDT", "automation_run_id": null, "model": "scripted", "queue_position": null, "created_at": "2026-11-20T00:40:15.435Z", "started_at": "2026-11-20T00:40:15.435Z", "completed_at": "2026-11-20T00:40:15.436Z", "user_message": {"object": "chat.message", "id": "msg_0VbTAQ9LA75M4QTbq19Xjm9Fym", "session_id": "ses_0VbTAQ9HqQts5QXvWvDFrWXQDT", "parent_id": "msg_0VbTAQ9HRqgOrQNW0zswlR4aRz", "role": "user", "content": [{"type": "text", "text": "{words:200}"}], "created_at": "2026-11-20T00:40:15.435Z", "metadata": {}}, "message": {"object": "chat.message", "id": "msg_0VbTAQ9LSav5J8ZrzQL2m1Dhez", "session_id": "ses_0VbTAQ9HqQts5QXvWvDFrWXQDT", "parent_id": "msg_0VbTAQ9LA75M4QTbq19Xjm9Fym", "role": "assistant", "content": [{"type": "text", "text": "w1 w2 w3 w4 w5 w6 w7 w8 w9 w10 w11 w12 w13 w14 w15 w16 w17 w18 w19 w20 w21 w22 w23 w24 w25 w26 w27 w28 w29 w30 w31 w32 w33 w34 w35 w36 w37 w38 w39 w40 w41 w42 w43 w44 w45 w46 w47 w48 w49 w50 w51 w52 w53 w54 w55 w56 w57 w58 w59 w60 w61 w62 w63 w64 w65 w66 w67 w68 w69 w70 w71 w72 w73 w74 w75 w76 w77 w78 w79 w80 w81 w82 w83 w84 w85 w86 w87 w88 w89 w90 w91 w92 w93 w94 w95 w96 w97 w98 w99 w100 w101 w102 w103 w104 w105 w106 w107 w108 w109 w110 w111 w112 w113 w114 w115 w116 w117 w118 w119 w120 w121 w122 w123 w124 w125 w126 w127 w128 w129 w130 w131 w132 w133 w134 w135 w136 w137 w138 w139 w140 w141 w142 w143 w144 w145 w146 w147 w148 w149 w150 w151 w152 w153 w154 w155 w156 w157 w158 w159 w160 w161 w162 w163 w164 w165 w166 w167 w168 w169 w170 w171 w172 w173 w174 w175 w176 w177 w178 w179 w180 w181 w182 w183 w184 w185 w186 w187 w188 w189 w190 w191 w192 w193 w194 w195 w196 w197 w198 w199 w200"}], "stop_reason": "end_turn", "model": "scripted", "run_id": "run_0VbTAQ9L8aETuA07GOPRaKgX7W", "created_at": "2026-11-20T00:40:15.435Z", "metadata": {}}, "output": null, "usage": {"input_tokens": 17, "output_tokens": 200, "total_tokens": 217, "cached_input_tokens": 0}, "error": null, "metadata": {}}, {"object": "chat.run", "id": "run_0VbTAQ9HuFw1909tQ60D16LDcp", "status": "completed", "session_id": "ses_0VbTAQ9HqQts5QXvWvDFrWXQDT", "automation_run_id": null, "model": "scripted", "queue_position": null, "created_at": "2026-11-20T00:40:15.431Z", "started_at": "2026-11-20T00:40:15.431Z", "completed_at": "2026-11-20T00:40:15.433Z", "user_message": {"object": "chat.message", "id": "msg_0VbTAQ9HOeurwhzMz6KIIdn84C", "session_id": "ses_0VbTAQ9HqQts5QXvWvDFrWXQDT", "parent_id": null, "role": "user", "content": [{"type": "text", "text": "Why is the sky blue?\n'--; \u2028 \ud83d\ude00"}], "created_at": "2026-11-20T00:40:15.431Z", "metadata": {}}, "message": {"object": "chat.message", "id": "msg_0VbTAQ9HRqgOrQNW0zswlR4aRz", "session_id": "ses_0VbTAQ9HqQts5QXvWvDFrWXQDT", "parent_id": "msg_0VbTAQ9HOeurwhzMz6KIIdn84C", "role": "assistant", "content": [{"type": "text", "text": "Why is the sky blue?\n'--; \u2028 \ud83d\ude00"}], "stop_reason": "end_turn", "model": "scripted", "run_id": "run_0VbTAQ9HuFw1909tQ60D16LDcp", "created_at": "2026-11-20T00:40:15.431Z", "metadata": {}}, "output": null, "usage": {"input_tokens": 8, "output_tokens": 8, "total_tokens": 16, "cached_input_tokens": 0}, "error": null, "metadata": {}}], "has_more": false, "next_cursor": null}
-- said /automations {"object": "list", "data": [{"object": "automation", "id": "aut_0VbTAQ9xaKxyRdhuIhTTv23xu6", "name": "hooked", "message": "Called: {{run.key}}", "variables": [], "instructions": null, "model": null, "max_output_tokens": null, "temperature": null, "top_p": null, "seed": null, "stop": null, "response_format": null, "session": {"policy": "new", "keep": 30, "session_id": null}, "trigger": {"type": "hook", "verify": "token", "dedupe_pointer": null}, "overlap": "queue", "catch_up": "latest", "catch_up_window_s": 86400, "retry": {"max_attempts": 3, "backoff_s": 30}, "timeout_s": 300, "pause_after_failures": 10, "output_tokens_per_day": null, "paused": false, "metadata": {}, "revision": 1, "state": "active", "pause_reason": null, "next_at": null, "hook": {"id": "hok_0VbTAQ9xi766ShEIdA4ATfLzv7", "url": "/v1/api/hooks/hok_0VbTAQ9xi766ShEIdA4ATfLzv7", "secret_hint": "plh_\u2026UFVB", "old_secret_until": null}, "last_run": "aru_0VbTAQA1wZxbvcVUHrakgFroAu", "consecutive_failures": 0, "created_at": "2026-11-20T00:40:15.473Z", "updated_at": "2026-11-20T00:40:15.473Z"}, {"object": "automation", "id": "aut_0VbTAQ9TnlZNTj3d5sYSGXHKWy", "name": "daily", "message": "hello", "variables": [], "instructions": null, "model": null, "max_output_tokens": null, "temperature": null, "top_p": null, "seed": null, "stop": null, "response_format": null, "session": {"policy": "new", "keep": 30, "session_id": null}, "trigger": null, "overlap": "queue", "catch_up": "latest", "catch_up_window_s": 86400, "retry": {"max_attempts": 3, "backoff_s": 30}, "timeout_s": 300, "pause_after_failures": 10, "output_tokens_per_day": null, "paused": false, "metadata": {}, "revision": 1, "state": "active", "pause_reason": null, "next_at": null, "hook": null, "last_run": "aru_0VbTAQ9VVI0m8L3HTOn5PMO1XY", "consecutive_failures": 0, "created_at": "2026-11-20T00:40:15.443Z", "updated_at": "2026-11-20T00:40:15.443Z"}], "has_more": false, "next_cursor": null}
-- said /automations/aut_0VbTAQ9xaKxyRdhuIhTTv23xu6/runs {"object": "list", "data": [{"object": "automation.run", "id": "aru_0VbTAQA1wZxbvcVUHrakgFroAu", "automation_id": "aut_0VbTAQ9xaKxyRdhuIhTTv23xu6", "revision": 1, "trigger": "hook", "key": "first", "scheduled_for": "2026-11-20T00:40:15.477Z", "status": "completed", "skip_reason": null, "batch_id": null, "variables": {}, "message": "Called: first", "session_id": "ses_0VbTAQA2vl7znvVGDRMNtGVaVi", "run_id": "run_0VbTAQA2FMhpdX9zwHbYzTV9Kk", "attempts": [{"number": 1, "run_id": "run_0VbTAQA2FMhpdX9zwHbYzTV9Kk", "status": "completed", "error": null, "started_at": "2026-11-20T00:40:15.478Z", "completed_at": "2026-11-20T00:40:15.479Z"}], "next_attempt_at": null, "usage": {"input_tokens": 2, "output_tokens": 2, "total_tokens": 4, "cached_input_tokens": 0}, "error": null, "missed_count": null, "created_at": "2026-11-20T00:40:15.477Z", "started_at": "2026-11-20T00:40:15.478Z", "completed_at": "2026-11-20T00:40:15.479Z"}], "has_more": false, "next_cursor": null}
-- said /automations/aut_0VbTAQ9TnlZNTj3d5sYSGXHKWy/runs {"object": "list", "data": [{"object": "automation.run", "id": "aru_0VbTAQ9VVI0m8L3HTOn5PMO1XY", "automation_id": "aut_0VbTAQ9TnlZNTj3d5sYSGXHKWy", "revision": 1, "trigger": "manual", "key": "key_0VbTAQ9VFr6lKFY1YTzPvzsFT6", "scheduled_for": "2026-11-20T00:40:15.445Z", "status": "completed", "skip_reason": null, "batch_id": null, "variables": {}, "message": "hello", "session_id": "ses_0VbTAQ9XBWLGhLpFfXEnLLnRxR", "run_id": "run_0VbTAQ9XEvIW4W0aye0ErtZkRm", "attempts": [{"number": 1, "run_id": "run_0VbTAQ9XEvIW4W0aye0ErtZkRm", "status": "completed", "error": null, "started_at": "2026-11-20T00:40:15.447Z", "completed_at": "2026-11-20T00:40:15.449Z"}], "next_attempt_at": null, "usage": {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2, "cached_input_tokens": 0}, "error": null, "missed_count": null, "created_at": "2026-11-20T00:40:15.445Z", "started_at": "2026-11-20T00:40:15.447Z", "completed_at": "2026-11-20T00:40:15.449Z"}], "has_more": false, "next_cursor": null}
-- said /webhooks {"object": "list", "data": [{"object": "webhook", "id": "whk_0VbTAQ9ukRcdkwGn5zZ0XqrZ5k", "url": "https://example.com/hear", "event_types": ["automation.*"], "payload": "thin", "ordered": false, "description": null, "metadata": {}, "state": "disabled", "disabled_reason": "user", "secret_hint": "whsec_\u2026WzY=", "last_success_at": null, "last_failure_at": null, "cursor": 22, "created_at": "2026-11-20T00:40:15.470Z", "updated_at": "2026-11-20T00:40:15.472Z"}], "has_more": false, "next_cursor": null}
-- said /me/usage {"object": "list", "data": [{"object": "usage", "date": "2026-11-20", "user_id": "usr_0VbTAQ9CLXFx9lZwEl6Oaxh3RO", "model": "ok", "requests": 1, "input_tokens": 11, "output_tokens": 5, "cached_input_tokens": 4}, {"object": "usage", "date": "2026-11-20", "user_id": "usr_0VbTAQ9CLXFx9lZwEl6Oaxh3RO", "model": "scripted", "requests": 7, "input_tokens": 51, "output_tokens": 219, "cached_input_tokens": 0}], "has_more": false, "next_cursor": null}
-- said /events?limit=100 {"object": "list", "data": [{"object": "event", "id": "evt_0VbTAQ9FclUZUjd6MCk3n1BIzq", "sequence_number": 1, "type": "token.created", "timestamp": "2026-11-20T00:40:15.429Z", "test": false, "cause": {"automation_id": null, "automation_run_id": null, "depth": 0, "request_id": "req_0VbTAQ9F8fxgJrMIOwxoacyLy0"}, "data": {"object": "api_token", "id": "tok_0VbTAQ9FW5Uj76a9BAHzHMGRzk"}}, {"object": "event", "id": "evt_0VbTAQ9H5TVYzjnMtRvOdrsLWW", "sequence_number": 2, "type": "chat.session.created", "timestamp": "2026-11-20T00:40:15.431Z", "test": false, "cause": {"automation_id": null, "automation_run_id": null, "depth": 0, "request_id": "req_0VbTAQ9Ha5FzH1wZmgOIU2kNGP"}, "data": {"object": "chat.session", "id": "ses_0VbTAQ9HqQts5QXvWvDFrWXQDT"}}, {"object": "event", "id": "evt_0VbTAQ9HinAZUr3z7thM0tnTp3", "sequence_number": 3, "type": "chat.run.created", "timestamp": "2026-11-20T00:40:15.431Z", "test": false, "cause": {"automation_id": null, "automation_run_id": null, "depth": 0, "request_id": "req_0VbTAQ9Ha5FzH1wZmgOIU2kNGP"}, "data": {"object": "chat.run", "id": "run_0VbTAQ9HuFw1909tQ60D16LDcp", "session_id": "ses_0VbTAQ9HqQts5QXvWvDFrWXQDT", "status": "queued"}}, {"object": "event", "id": "evt_0VbTAQ9JfNsuXROKEHwj8WLfUj", "sequence_number": 4, "type": "chat.run.completed", "timestamp": "2026-11-20T00:40:15.433Z", "test": false, "cause": {"automation_id": null, "automation_run_id": null, "depth": 0, "request_id": "req_0VbTAQ9Ha5FzH1wZmgOIU2kNGP"}, "data": {"object": "chat.run", "id": "run_0VbTAQ9HuFw1909tQ60D16LDcp", "session_id": "ses_0VbTAQ9HqQts5QXvWvDFrWXQDT", "status": "completed"}}, {"object": "event", "id": "evt_0VbTAQ9L81e8dCYOCmTfPVYiPa", "sequence_number": 5, "type": "chat.run.created", "timestamp": "2026-11-20T00:40:15.435Z", "test": false, "cause": {"automation_id": null, "automation_run_id": null, "depth": 0, "request_id": "req_0VbTAQ9KbBpizm8ETIMcOsHbFR"}, "data": {"object": "chat.run", "id": "run_0VbTAQ9L8aETuA07GOPRaKgX7W", "session_id": "ses_0VbTAQ9HqQts5QXvWvDFrWXQDT", "status": "queued"}}, {"object": "event", "id": "evt_0VbTAQ9M9Yd6e1BZJccnApTqIs", "sequence_number": 6, "type": "chat.run.completed", "timestamp": "2026-11-20T00:40:15.436Z", "test": false, "cause": {"automation_id": null, "automation_run_id": null, "depth": 0, "request_id": "req_0VbTAQ9KbBpizm8ETIMcOsHbFR"}, "data": {"object": "chat.run", "id": "run_0VbTAQ9L8aETuA07GOPRaKgX7W", "session_id": "ses_0VbTAQ9HqQts5QXvWvDFrWXQDT", "status": "completed"}}, {"object": "event", "id": "evt_0VbTAQ9OS8DSwY5dlxbz4l096y", "sequence_number": 7, "type": "chat.run.created", "timestamp": "2026-11-20T00:40:15.438Z", "test": false, "cause": {"automation_id": null, "automation_run_id": null, "depth": 0, "request_id": "req_0VbTAQ9OGpMzdeWfaQ44B6076J"}, "data": {"object": "chat.run", "id": "run_0VbTAQ9OJBRyeCXrJsSk7xPyhW", "session_id": "ses_0VbTAQ9HqQts5QXvWvDFrWXQDT", "status": "queued"}}, {"object": "event", "id": "evt_0VbTAQ9POhkHw8I38g1mc0DHCF", "sequence_number": 8, "type": "chat.run.completed", "timestamp": "2026-11-20T00:40:15.439Z", "test": false, "cause": {"automation_id": null, "automation_run_id": null, "depth": 0, "request_id": "req_0VbTAQ9OGpMzdeWfaQ44B6076J"}, "data": {"object": "chat.run", "id": "run_0VbTAQ9OJBRyeCXrJsSk7xPyhW", "session_id": "ses_0VbTAQ9HqQts5QXvWvDFrWXQDT", "status": "completed"}}, {"object": "event", "id": "evt_0VbTAQ9Q4yJObTJ3JIKo6xbnqP", "sequence_number": 9, "type": "chat.session.created", "timestamp": "2026-11-20T00:40:15.440Z", "test": false, "cause": {"automation_id": null, "automation_run_id": null, "depth": 0, "request_id": "req_0VbTAQ9Q74QWToPzefsqSmWpms"}, "data": {"object": "chat.session", "id": "ses_0VbTAQ9Q4Z2KcLoh7OX3BFoJBa"}}, {"object": "event", "id": "evt_0VbTAQ9QmuE5OKAroxLZgTFhIT", "sequence_number": 10, "type": "chat.run.created", "timestamp": "2026-11-20T00:40:15.440Z", "test": false, "cause": {"automation_id": null, "automation_run_id": null, "depth": 0, "request_id": "req_0VbTAQ9Q74QWToPzefsqSmWpms"}, "data": {"object": "chat.run", "id": "run_0VbTAQ9QmLtDbDvVkzWf28M7L4", "session_id": "ses_0VbTAQ9Q4Z2KcLoh7OX3BFoJBa", "status": "queued"}}, {"object": "event", "id": "evt_0VbTAQ9RgWO6hxtLdXCAkqAVXZ", "sequence_number": 11, "type": "chat.run.failed", "timestamp": "2026-11-20T00:40:15.441Z", "test": false, "cause": {"automation_id": null, "automation_run_id": null, "depth": 0, "request_id": "req_0VbTAQ9Q74QWToPzefsqSmWpms"}, "data": {"object": "chat.run", "id": "run_0VbTAQ9QmLtDbDvVkzWf28M7L4", "session_id": "ses_0VbTAQ9Q4Z2KcLoh7OX3BFoJBa", "status": "failed"}}, {"object": "event", "id": "evt_0VbTAQ9SH8mcSwJUqy007asMU5", "sequence_number": 12, "type": "chat.session.created", "timestamp": "2026-11-20T00:40:15.442Z", "test": false, "cause": {"automation_id": null, "automation_run_id": null, "depth": 0, "request_id": "req_0VbTAQ9SA3b60nJ85o0SgXY0ep"}, "data": {"object": "chat.session", "id": "ses_0VbTAQ9SOXt3ibr2bmWCUzL6c6"}}, {"object": "event", "id": "evt_0VbTAQ9S6qERjtkZmWtAphdgjG", "sequence_number": 13, "type": "chat.run.created", "timestamp": "2026-11-20T00:40:15.442Z", "test": false, "cause": {"automation_id": null, "automation_run_id": null, "depth": 0, "request_id": "req_0VbTAQ9SA3b60nJ85o0SgXY0ep"}, "data": {"object": "chat.run", "id": "run_0VbTAQ9SVfACONfzVjNZ0H4SAz", "session_id": "ses_0VbTAQ9SOXt3ibr2bmWCUzL6c6", "status": "queued"}}, {"object": "event", "id": "evt_0VbTAQ9SN0p3v4IXYp1ugBI2Tc", "sequence_number": 14, "type": "chat.run.completed", "timestamp": "2026-11-20T00:40:15.442Z", "test": false, "cause": {"automation_id": null, "automation_run_id": null, "depth": 0, "request_id": "req_0VbTAQ9SA3b60nJ85o0SgXY0ep"}, "data": {"object": "chat.run", "id": "run_0VbTAQ9SVfACONfzVjNZ0H4SAz", "session_id": "ses_0VbTAQ9SOXt3ibr2bmWCUzL6c6", "status": "completed"}}, {"object": "event", "id": "evt_0VbTAQ9TOQPOvdJsSOMkBsXtLg", "sequence_number": 15, "type": "chat.session.updated", "timestamp": "2026-11-20T00:40:15.443Z", "test": false, "cause": {"automation_id": null, "automation_run_id": null, "depth": 0, "request_id": "req_0VbTAQ9TRBrWAqZFdxnwL9IyH0"}, "data": {"object": "chat.session", "id": "ses_0VbTAQ9SOXt3ibr2bmWCUzL6c6"}}, {"object": "event", "id": "evt_0VbTAQ9TZMz1p77o3LvxTr0FhZ", "sequence_number": 16, "type": "automation.created", "timestamp": "2026-11-20T00:40:15.443Z", "test": false, "cause": {"automation_id": null, "automation_run_id": null, "depth": 0, "request_id": "req_0VbTAQ9TEszYa0yPOfe4EqrQ7N"}, "data": {"object": "automation", "id": "aut_0VbTAQ9TnlZNTj3d5sYSGXHKWy"}}, {"object": "event", "id": "evt_0VbTAQ9VAjrPjyKfkjMWiIhwLX", "sequence_number": 17, "type": "automation.run.queued", "timestamp": "2026-11-20T00:40:15.445Z", "test": false, "cause": {"automation_id": null, "automation_run_id": null, "depth": 1, "request_id": "req_0VbTAQ9VTAZnYLRk6g66EIUsNc"}, "data": {"object": "automation.run", "id": "aru_0VbTAQ9VVI0m8L3HTOn5PMO1XY", "automation_id": "aut_0VbTAQ9TnlZNTj3d5sYSGXHKWy", "status": "queued"}}, {"object": "event", "id": "evt_0VbTAQ9XH0W3YmKSDJ5BEFi0TF", "sequence_number": 18, "type": "chat.session.created", "timestamp": "2026-11-20T00:40:15.447Z", "test": false, "cause": {"automation_id": "aut_0VbTAQ9TnlZNTj3d5sYSGXHKWy", "automation_run_id": "aru_0VbTAQ9VVI0m8L3HTOn5PMO1XY", "depth": 1, "request_id": null}, "data": {"object": "chat.session", "id": "ses_0VbTAQ9XBWLGhLpFfXEnLLnRxR"}}, {"object": "event", "id": "evt_0VbTAQ9XDmsroBkd8TReq7lmWC", "sequence_number": 19, "type": "chat.run.created", "timestamp": "2026-11-20T00:40:15.447Z", "test": false, "cause": {"automation_id": "aut_0VbTAQ9TnlZNTj3d5sYSGXHKWy", "automation_run_id": "aru_0VbTAQ9VVI0m8L3HTOn5PMO1XY", "depth": 1, "request_id": null}, "data": {"object": "chat.run", "id": "run_0VbTAQ9XEvIW4W0aye0ErtZkRm", "session_id": "ses_0VbTAQ9XBWLGhLpFfXEnLLnRxR", "status": "queued"}}, {"object": "event", "id": "evt_0VbTAQ9ZYVdFEmrByC2FYq0xZB", "sequence_number": 20, "type": "chat.run.completed", "timestamp": "2026-11-20T00:40:15.449Z", "test": false, "cause": {"automation_id": "aut_0VbTAQ9TnlZNTj3d5sYSGXHKWy", "automation_run_id": "aru_0VbTAQ9VVI0m8L3HTOn5PMO1XY", "depth": 1, "request_id": null}, "data": {"object": "chat.run", "id": "run_0VbTAQ9XEvIW4W0aye0ErtZkRm", "session_id": "ses_0VbTAQ9XBWLGhLpFfXEnLLnRxR", "status": "completed"}}, {"object": "event", "id": "evt_0VbTAQ9ZOdJWaiYsiYDaSHTnWR", "sequence_number": 21, "type": "automation.run.completed", "timestamp": "2026-11-20T00:40:15.449Z", "test": false, "cause": {"automation_id": "aut_0VbTAQ9TnlZNTj3d5sYSGXHKWy", "automation_run_id": "aru_0VbTAQ9VVI0m8L3HTOn5PMO1XY", "depth": 1, "request_id": null}, "data": {"object": "automation.run", "id": "aru_0VbTAQ9VVI0m8L3HTOn5PMO1XY", "automation_id": "aut_0VbTAQ9TnlZNTj3d5sYSGXHKWy", "status": "completed"}}, {"object": "event", "id": "evt_0VbTAQ9ufoN9HCS0CaHgo95ysG", "sequence_number": 22, "type": "webhook.created", "timestamp": "2026-11-20T00:40:15.470Z", "test": false, "cause": {"automation_id": null, "automation_run_id": null, "depth": 0, "request_id": "req_0VbTAQ9t6kaLxoZ8PsTzUiXGva"}, "data": {"object": "webhook", "id": "whk_0VbTAQ9ukRcdkwGn5zZ0XqrZ5k"}}, {"object": "event", "id": "evt_0VbTAQ9wgfqbs1QSv4sEUBuRt5", "sequence_number": 23, "type": "webhook.disabled", "timestamp": "2026-11-20T00:40:15.472Z", "test": false, "cause": {"automation_id": null, "automation_run_id": null, "depth": 0, "request_id": "req_0VbTAQ9w6l7aSUHlGwpcJbpkNt"}, "data": {"object": "webhook", "id": "whk_0VbTAQ9ukRcdkwGn5zZ0XqrZ5k"}}, {"object": "event", "id": "evt_0VbTAQ9xz6raTBta6dQLR4Nbi2", "sequence_number": 24, "type": "automation.created", "timestamp": "2026-11-20T00:40:15.473Z", "test": false, "cause": {"automation_id": null, "automation_run_id": null, "depth": 0, "request_id": "req_0VbTAQ9x7DOFrLo9E7OVAjkxg5"}, "data": {"object": "automation", "id": "aut_0VbTAQ9xaKxyRdhuIhTTv23xu6"}}, {"object": "event", "id": "evt_0VbTAQA1Lv8elAlqf8CsguLKFW", "sequence_number": 25, "type": "automation.run.queued", "timestamp": "2026-11-20T00:40:15.477Z", "test": false, "cause": {"automation_id": null, "automation_run_id": null, "depth": 1, "request_id": "req_0VbTAQ9ygYzbjJGWbOSnHtePWh"}, "data": {"object": "automation.run", "id": "aru_0VbTAQA1wZxbvcVUHrakgFroAu", "automation_id": "aut_0VbTAQ9xaKxyRdhuIhTTv23xu6", "status": "queued"}}, {"object": "event", "id": "evt_0VbTAQA2OhTQp16BRffX5mkg67", "sequence_number": 26, "type": "chat.session.created", "timestamp": "2026-11-20T00:40:15.478Z", "test": false, "cause": {"automation_id": "aut_0VbTAQ9xaKxyRdhuIhTTv23xu6", "automation_run_id": "aru_0VbTAQA1wZxbvcVUHrakgFroAu", "depth": 1, "request_id": null}, "data": {"object": "chat.session", "id": "ses_0VbTAQA2vl7znvVGDRMNtGVaVi"}}, {"object": "event", "id": "evt_0VbTAQA2hXlD0244NYs97CTolR", "sequence_number": 27, "type": "chat.run.created", "timestamp": "2026-11-20T00:40:15.478Z", "test": false, "cause": {"automation_id": "aut_0VbTAQ9xaKxyRdhuIhTTv23xu6", "automation_run_id": "aru_0VbTAQA1wZxbvcVUHrakgFroAu", "depth": 1, "request_id": null}, "data": {"object": "chat.run", "id": "run_0VbTAQA2FMhpdX9zwHbYzTV9Kk", "session_id": "ses_0VbTAQA2vl7znvVGDRMNtGVaVi", "status": "queued"}}, {"object": "event", "id": "evt_0VbTAQA3pmU7wekalCokE9AclC", "sequence_number": 28, "type": "chat.run.completed", "timestamp": "2026-11-20T00:40:15.479Z", "test": false, "cause": {"automation_id": "aut_0VbTAQ9xaKxyRdhuIhTTv23xu6", "automation_run_id": "aru_0VbTAQA1wZxbvcVUHrakgFroAu", "depth": 1, "request_id": null}, "data": {"object": "chat.run", "id": "run_0VbTAQA2FMhpdX9zwHbYzTV9Kk", "session_id": "ses_0VbTAQA2vl7znvVGDRMNtGVaVi", "status": "completed"}}, {"object": "event", "id": "evt_0VbTAQA3QaEk8kjWA8NHZsiaBR", "sequence_number": 29, "type": "automation.run.completed", "timestamp": "2026-11-20T00:40:15.479Z", "test": false, "cause": {"automation_id": "aut_0VbTAQ9xaKxyRdhuIhTTv23xu6", "automation_run_id": "aru_0VbTAQA1wZxbvcVUHrakgFroAu", "depth": 1, "request_id": null}, "data": {"object": "automation.run", "id": "aru_0VbTAQA1wZxbvcVUHrakgFroAu", "automation_id": "aut_0VbTAQ9xaKxyRdhuIhTTv23xu6", "status": "completed"}}, {"object": "event", "id": "evt_0VbTAQA5oR9M9tjE28QWkxdGoY", "sequence_number": 30, "type": "chat.session.created", "timestamp": "2026-11-20T00:40:15.481Z", "test": false, "cause": {"automation_id": null, "automation_run_id": null, "depth": 0, "request_id": "req_0VbTAQA5nZZqPJWFhYF9l60WDd"}, "data": {"object": "chat.session", "id": "ses_0VbTAQA5AzxNjSvlnOqmvzcujp"}}, {"object": "event", "id": "evt_0VbTAQA5K8EqvuiQcVd0vezaIg", "sequence_number": 31, "type": "chat.run.created", "timestamp": "2026-11-20T00:40:15.481Z", "test": false, "cause": {"automation_id": null, "automation_run_id": null, "depth": 0, "request_id": "req_0VbTAQA5nZZqPJWFhYF9l60WDd"}, "data": {"object": "chat.run", "id": "run_0VbTAQA5BKZjBIYFL8o82rHrqs", "session_id": "ses_0VbTAQA5AzxNjSvlnOqmvzcujp", "status": "queued"}}, {"object": "event", "id": "evt_0VbTAQA6uLlLI2Ljm1sbBJW1YL", "sequence_number": 32, "type": "chat.run.completed", "timestamp": "2026-11-20T00:40:15.482Z", "test": false, "cause": {"automation_id": null, "automation_run_id": null, "depth": 0, "request_id": "req_0VbTAQA5nZZqPJWFhYF9l60WDd"}, "data": {"object": "chat.run", "id": "run_0VbTAQA5BKZjBIYFL8o82rHrqs", "session_id": "ses_0VbTAQA5AzxNjSvlnOqmvzcujp", "status": "completed"}}], "has_more": false, "next_cursor": null}
PRAGMA application_id = 1348563564;
PRAGMA user_version = 25;
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
INSERT INTO 'audit' VALUES (1, 'evt_0VbTAQ81qx8TX3I5xtjn8YDDYf', 1795135215353, 'server', 'token.created', 'tok_0VbTAQ819HlAnkMGaXlIZJard3', '', '');
INSERT INTO 'audit' VALUES (2, 'evt_0VbTAQ8h9XOWEaGdnaVlNxnYH0', 1795135215395, 'usr_0VbTAQ8hqlOqCG1Taycf7GZ5iX', 'setup', 'usr_0VbTAQ8hqlOqCG1Taycf7GZ5iX', '127.0.0.1', 'req_0VbTAQ8JWofnEpbqwSjy06Rk51');
INSERT INTO 'audit' VALUES (3, 'evt_0VbTAQ9CQyFpNHPbh1MIoI7FRh', 1795135215426, 'usr_0VbTAQ8hqlOqCG1Taycf7GZ5iX', 'user.created', 'usr_0VbTAQ9CLXFx9lZwEl6Oaxh3RO', '127.0.0.1', 'req_0VbTAQ8kRXMAG0d2TZwGR3NZlX');
INSERT INTO 'audit' VALUES (4, 'evt_0VbTAQ9FiKZtpJdnw0rNbdd7ka', 1795135215429, 'usr_0VbTAQ8hqlOqCG1Taycf7GZ5iX', 'token.created', 'tok_0VbTAQ9FW5Uj76a9BAHzHMGRzk', '127.0.0.1', 'req_0VbTAQ9F8fxgJrMIOwxoacyLy0');
INSERT INTO 'audit' VALUES (5, 'evt_0VbTAQ9uRRupPSM3cB2AuhU49i', 1795135215470, 'usr_0VbTAQ9CLXFx9lZwEl6Oaxh3RO', 'webhook.created', 'whk_0VbTAQ9ukRcdkwGn5zZ0XqrZ5k', '127.0.0.1', 'req_0VbTAQ9t6kaLxoZ8PsTzUiXGva');
INSERT INTO 'audit' VALUES (6, 'evt_0VbTAQ9waQxRLIFnNvYiwRz7OS', 1795135215472, 'usr_0VbTAQ9CLXFx9lZwEl6Oaxh3RO', 'webhook.changed', 'whk_0VbTAQ9ukRcdkwGn5zZ0XqrZ5k', '127.0.0.1', 'req_0VbTAQ9w6l7aSUHlGwpcJbpkNt');
INSERT INTO 'audit' VALUES (7, 'evt_0VbTAQ9xDfh2IpNq2S5TYxEoMh', 1795135215473, 'usr_0VbTAQ9CLXFx9lZwEl6Oaxh3RO', 'hook.created', 'hok_0VbTAQ9xi766ShEIdA4ATfLzv7', '127.0.0.1', 'req_0VbTAQ9x7DOFrLo9E7OVAjkxg5');
INSERT INTO 'audit' VALUES (8, 'evt_0VbTAQATxNPdNVchzN64L2WbvY', 1795135215505, 'usr_0VbTAQ8hqlOqCG1Taycf7GZ5iX', 'user.created', 'usr_0VbTAQATJD6Eh7Wb5eJm4ZaLh2', '127.0.0.1', 'req_0VbTAQA70FPEICMLrxWRvWa4Wh');
INSERT INTO 'audit' VALUES (9, 'evt_0VbTAQAmdiKTkL4Nh2cTK30y99', 1795135215524, 'usr_0VbTAQATJD6Eh7Wb5eJm4ZaLh2', 'login', 'tok_0VbTAQAms8nvQemNGkqD1uT2S9', '127.0.0.1', 'req_0VbTAQAUG1jcWn2wRnOOypkg8S');
INSERT INTO 'audit' VALUES (10, 'evt_0VbTAQBDQvw8EQ0u4rhYevfVPd', 1795135215551, 'usr_0VbTAQATJD6Eh7Wb5eJm4ZaLh2', 'totp.enabled', 'usr_0VbTAQATJD6Eh7Wb5eJm4ZaLh2', '127.0.0.1', 'req_0VbTAQBB9QJ3mR0b9S772RSHli');
INSERT INTO 'sqlite_sequence' VALUES ('tokens', 8);
INSERT INTO 'sqlite_sequence' VALUES ('audit', 10);
INSERT INTO 'sqlite_sequence' VALUES ('users', 3);
INSERT INTO 'sqlite_sequence' VALUES ('sessions', 6);
INSERT INTO 'sqlite_sequence' VALUES ('token_usage', 8);
INSERT INTO 'sqlite_sequence' VALUES ('automations', 2);
INSERT INTO 'sqlite_sequence' VALUES ('automation_runs', 2);
INSERT INTO 'sqlite_sequence' VALUES ('webhooks', 1);
INSERT INTO 'sqlite_sequence' VALUES ('images', 1);
CREATE TABLE keys (
        purpose TEXT PRIMARY KEY,
        bytes   BLOB NOT NULL
    ) STRICT, WITHOUT ROWID;
INSERT INTO 'keys' VALUES ('cursors', X'B630B9F7633E7DB02AF8B2E56D5288BF94AB476A4594F3CCB7C5DEFF53FFC3CE');
INSERT INTO 'keys' VALUES ('webhook secrets', X'DC30C1B91A1790033A0ED9C6385E87C57C5602D944E4F38761D294AE97ABEB4E');
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
INSERT INTO 'users' VALUES (1, 'usr_0VbTAQ8hqlOqCG1Taycf7GZ5iX', 'olga', 'olga', 'Olga', 'operator', 0, 1795135215395, 1795135215396, '$argon2id$v=19$m=19456,t=2,p=1$pYqFC4Q/bGdB2oDyRkUSmg$3gg7wSMvaZvRNjBllOlYFquXdyyqEIWvzURxOy9Sv+Y', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, 0, NULL, NULL);
INSERT INTO 'users' VALUES (2, 'usr_0VbTAQ9CLXFx9lZwEl6Oaxh3RO', 'ana', 'ana', 'Ana Ünal', 'member', 0, 1795135215426, NULL, '$argon2id$v=19$m=19456,t=2,p=1$7oV4Q3VFUOdSipESdHJ+MA$O2yN8Ps0LdmbB1VRekbP4PvGqTq+545IbgYBtKs9/+k', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, 0, NULL, NULL);
INSERT INTO 'users' VALUES (3, 'usr_0VbTAQATJD6Eh7Wb5eJm4ZaLh2', 'bo', 'bo', 'bo', 'member', 0, 1795135215505, 1795135215524, '$argon2id$v=19$m=19456,t=2,p=1$ZFhlPUXoEaWQ/op1h+/lZA$vZE2Z9p6tMaZX+ykXIduFrTv3dqNBqZZA1gzxQ1sd/M', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, X'059A6AFB35BCC6BC1BBC24E6EB4A09F1E2836B1CED72FD9D4AD02067A3CF718643E9DE94F4A1778D8DDA3F0BA12D12FD8B823DF274136FE86B6D2DEC', NULL, 59837840, 0, NULL, NULL);
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
INSERT INTO 'tokens' VALUES (1, 'tok_0VbTAQ819HlAnkMGaXlIZJard3', X'BC2E8AE1D05CDA3838D24AB33607EAD272606E6570CF842A64D078BEA27EBD37', 'c', NULL, NULL, 'web page', 1, 'plc_…GDjH', 'server', 1795135215353, 1795135215372, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO 'tokens' VALUES (2, 'tok_0VbTAQ8iiNBwiGAC6BYYbaVwEU', NULL, 'login', 'usr_0VbTAQ8hqlOqCG1Taycf7GZ5iX', NULL, 'set-up', 126, 'pls_…lAbr', 'usr_0VbTAQ8hqlOqCG1Taycf7GZ5iX', 1795135215396, 1795135215398, 1802911215396, 1797727215396, NULL, NULL, NULL, NULL, 0);
INSERT INTO 'tokens' VALUES (3, 'tok_0VbTAQ8icNjb3gJAuocPBcmrOV', X'DA72B29A8BD1EF5EAB909F2D8D4A21CD1D00790693B8D1FA11CD3B06FE66A523', 's', 'usr_0VbTAQ8hqlOqCG1Taycf7GZ5iX', 'tok_0VbTAQ8iiNBwiGAC6BYYbaVwEU', 'set-up', 126, 'pls_…lAbr', 'usr_0VbTAQ8hqlOqCG1Taycf7GZ5iX', 1795135215396, 1795135215398, 1795138815396, 1795138815396, NULL, NULL, NULL, NULL, 0);
INSERT INTO 'tokens' VALUES (4, 'tok_0VbTAQ8i0hr5MYyqH2blGefjq6', X'8D38E889DB013CD8CC56A423A604433B947B10539AD4D67D144DE2F5CCE6E113', 'r', 'usr_0VbTAQ8hqlOqCG1Taycf7GZ5iX', 'tok_0VbTAQ8iiNBwiGAC6BYYbaVwEU', 'set-up', 0, 'plr_…AYgo', 'usr_0VbTAQ8hqlOqCG1Taycf7GZ5iX', 1795135215396, NULL, 1797727215396, 1797727215396, NULL, NULL, NULL, NULL, 0);
INSERT INTO 'tokens' VALUES (5, 'tok_0VbTAQ9FW5Uj76a9BAHzHMGRzk', X'4EAA2366FD4510BFC0B3410C314702466B22A1DB17F82D125A00B587E6214815', 'p', 'usr_0VbTAQ9CLXFx9lZwEl6Oaxh3RO', NULL, 'from above', 110, 'plp_…sPlu', 'usr_0VbTAQ8hqlOqCG1Taycf7GZ5iX', 1795135215429, 1795135215431, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO 'tokens' VALUES (6, 'tok_0VbTAQAms8nvQemNGkqD1uT2S9', NULL, 'login', 'usr_0VbTAQATJD6Eh7Wb5eJm4ZaLh2', NULL, '', 110, 'pls_…afFh', 'usr_0VbTAQATJD6Eh7Wb5eJm4ZaLh2', 1795135215524, 1795135215526, 1802911215524, 1797727215524, NULL, NULL, NULL, NULL, 0);
INSERT INTO 'tokens' VALUES (7, 'tok_0VbTAQAmAANvWY9g9nmUsodn1B', X'D597C3456A02D612AECE92FDCBB2726A4B6C9CC8E9A0E973688AC5B43941F91A', 's', 'usr_0VbTAQATJD6Eh7Wb5eJm4ZaLh2', 'tok_0VbTAQAms8nvQemNGkqD1uT2S9', '', 110, 'pls_…afFh', 'usr_0VbTAQATJD6Eh7Wb5eJm4ZaLh2', 1795135215524, 1795135215526, 1795138815524, 1795138815524, NULL, NULL, NULL, NULL, 0);
INSERT INTO 'tokens' VALUES (8, 'tok_0VbTAQAmImht1nlo6Vaisv4HIl', X'65EBB4CE7E8FBE911BC69671052F193550D7BC117ABBC88E688465ADB6CE93BB', 'r', 'usr_0VbTAQATJD6Eh7Wb5eJm4ZaLh2', 'tok_0VbTAQAms8nvQemNGkqD1uT2S9', '', 0, 'plr_…0SPJ', 'usr_0VbTAQATJD6Eh7Wb5eJm4ZaLh2', 1795135215524, NULL, 1797727215524, 1797727215524, NULL, NULL, NULL, NULL, 0);
CREATE TABLE counters (
        name  TEXT PRIMARY KEY,
        value INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
INSERT INTO 'counters' VALUES ('activity', 16);
INSERT INTO 'counters' VALUES ('search_index', 1);
INSERT INTO 'counters' VALUES ('search_version', 6426362931389384);
INSERT INTO 'counters' VALUES ('searchable', 0);
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
    , automation TEXT, keep INTEGER NOT NULL DEFAULT 0 CHECK (keep IN (0, 1)), removed INTEGER NOT NULL DEFAULT 0
            CHECK (removed IN (0, 1))) STRICT;
INSERT INTO 'sessions' VALUES (1, 'ses_0VbTAQ9HqQts5QXvWvDFrWXQDT', 'usr_0VbTAQ9CLXFx9lZwEl6Oaxh3RO', 0, 0, 6, 6, 'msg_0VbTAQ9ORrEwU2ucsyBroos4Ur', 1795135215431, 1795135215439, 1795135215439, 7, 'Why is the sky blue? ''--;   😀', 'why is the sky blue? ''--;   😀', 0, NULL, '{}', NULL, NULL, 0, 0);
INSERT INTO 'sessions' VALUES (2, 'ses_0VbTAQ9Q4Z2KcLoh7OX3BFoJBa', 'usr_0VbTAQ9CLXFx9lZwEl6Oaxh3RO', 0, 0, 8, 2, 'msg_0VbTAQ9Qg78R3PgcvAMqSYaXin', 1795135215440, 1795135215441, 1795135215441, 3, '{words:9} {fail_after:3}', '{words:9} {fail_after:3}', 0, NULL, '{}', NULL, NULL, 0, 0);
INSERT INTO 'sessions' VALUES (3, 'ses_0VbTAQ9SOXt3ibr2bmWCUzL6c6', 'usr_0VbTAQ9CLXFx9lZwEl6Oaxh3RO', 0, 0, 10, 2, 'msg_0VbTAQ9SsPhcHQM3HEwlBZh0BU', 1795135215442, 1795135215443, 1795135215442, 4, 'Kept', 'kept', 1, NULL, '{}', NULL, NULL, 1, 0);
INSERT INTO 'sessions' VALUES (4, 'ses_0VbTAQ9XBWLGhLpFfXEnLLnRxR', 'usr_0VbTAQ9CLXFx9lZwEl6Oaxh3RO', 0, 0, 12, 2, 'msg_0VbTAQ9XWE3sdkMBSOju6f3R1H', 1795135215447, 1795135215449, 1795135215449, 3, 'daily', 'daily', 0, NULL, '{}', NULL, 'aut_0VbTAQ9TnlZNTj3d5sYSGXHKWy', 0, 0);
INSERT INTO 'sessions' VALUES (5, 'ses_0VbTAQA2vl7znvVGDRMNtGVaVi', 'usr_0VbTAQ9CLXFx9lZwEl6Oaxh3RO', 0, 0, 14, 2, 'msg_0VbTAQA2gTs3jSHGumOF8dNixO', 1795135215478, 1795135215479, 1795135215479, 3, 'hooked', 'hooked', 0, NULL, '{}', NULL, 'aut_0VbTAQ9xaKxyRdhuIhTTv23xu6', 0, 0);
INSERT INTO 'sessions' VALUES (6, 'ses_0VbTAQA5AzxNjSvlnOqmvzcujp', 'usr_0VbTAQ9CLXFx9lZwEl6Oaxh3RO', 0, 0, 16, 2, 'msg_0VbTAQA5y5AQ4pZnJLuidOKdH7', 1795135215481, 1795135215482, 1795135215482, 3, 'What is this?', 'what is this?', 0, NULL, '{}', NULL, NULL, 0, 0);
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
INSERT INTO 'branches' VALUES (6, 5, NULL, 0);
INSERT INTO 'branches' VALUES (7, 6, NULL, 0);
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
INSERT INTO 'messages' VALUES (1, 'msg_0VbTAQ9HOeurwhzMz6KIIdn84C', 1, NULL, 1, 0, 'user', 1795135215431, NULL, NULL, NULL, '{}', X'220000005768792069732074686520736B7920626C75653F0A272D2D3B20E280A820F09F9880', 0, NULL);
INSERT INTO 'messages' VALUES (2, 'msg_0VbTAQ9HRqgOrQNW0zswlR4aRz', 1, 1, 1, 1, 'assistant', 1795135215431, 'end_turn', 'scripted', 'run_0VbTAQ9HuFw1909tQ60D16LDcp', '{}', X'220000005768792069732074686520736B7920626C75653F0A272D2D3B20E280A820F09F9880', 0, NULL);
INSERT INTO 'messages' VALUES (3, 'msg_0VbTAQ9LA75M4QTbq19Xjm9Fym', 1, 2, 1, 2, 'user', 1795135215435, NULL, NULL, NULL, '{}', X'0B0000007B776F7264733A3230307D', 0, NULL);
INSERT INTO 'messages' VALUES (4, 'msg_0VbTAQ9LSav5J8ZrzQL2m1Dhez', 1, 3, 1, 3, 'assistant', 1795135215435, 'end_turn', 'scripted', 'run_0VbTAQ9L8aETuA07GOPRaKgX7W', '{}', X'7B030000773120773220773320773420773520773620773720773820773920773130207731312077313220773133207731342077313520773136207731372077313820773139207732302077323120773232207732332077323420773235207732362077323720773238207732392077333020773331207733322077333320773334207733352077333620773337207733382077333920773430207734312077343220773433207734342077343520773436207734372077343820773439207735302077353120773532207735332077353420773535207735362077353720773538207735392077363020773631207736322077363320773634207736352077363620773637207736382077363920773730207737312077373220773733207737342077373520773736207737372077373820773739207738302077383120773832207738332077383420773835207738362077383720773838207738392077393020773931207739322077393320773934207739352077393620773937207739382077393920773130302077313031207731303220773130332077313034207731303520773130362077313037207731303820773130392077313130207731313120773131322077313133207731313420773131352077313136207731313720773131382077313139207731323020773132312077313232207731323320773132342077313235207731323620773132372077313238207731323920773133302077313331207731333220773133332077313334207731333520773133362077313337207731333820773133392077313430207731343120773134322077313433207731343420773134352077313436207731343720773134382077313439207731353020773135312077313532207731353320773135342077313535207731353620773135372077313538207731353920773136302077313631207731363220773136332077313634207731363520773136362077313637207731363820773136392077313730207731373120773137322077313733207731373420773137352077313736207731373720773137382077313739207731383020773138312077313832207731383320773138342077313835207731383620773138372077313838207731383920773139302077313931207731393220773139332077313934207731393520773139362077313937207731393820773139392077323030', 0, NULL);
INSERT INTO 'messages' VALUES (5, 'msg_0VbTAQ9OAHfhMbYqpoEwBtTHvb', 1, 2, 2, 2, 'user', 1795135215438, NULL, NULL, NULL, '{}', X'0D000000416761696E2C20706C65617365', 0, NULL);
INSERT INTO 'messages' VALUES (6, 'msg_0VbTAQ9ORrEwU2ucsyBroos4Ur', 1, 5, 2, 3, 'assistant', 1795135215438, 'end_turn', 'scripted', 'run_0VbTAQ9OJBRyeCXrJsSk7xPyhW', '{}', X'0D000000416761696E2C20706C65617365', 0, NULL);
INSERT INTO 'messages' VALUES (7, 'msg_0VbTAQ9QTAn1b3QxAqViHCHIc6', 2, NULL, 3, 0, 'user', 1795135215440, NULL, NULL, NULL, '{}', X'180000007B776F7264733A397D207B6661696C5F61667465723A337D', 0, NULL);
INSERT INTO 'messages' VALUES (8, 'msg_0VbTAQ9Qg78R3PgcvAMqSYaXin', 2, 7, 3, 1, 'assistant', 1795135215440, 'error', 'scripted', 'run_0VbTAQ9QmLtDbDvVkzWf28M7L4', '{}', X'080000007731207732207733', 0, NULL);
INSERT INTO 'messages' VALUES (9, 'msg_0VbTAQ9SBzht6gJh6Obfcoi4zG', 3, NULL, 4, 0, 'user', 1795135215442, NULL, NULL, NULL, '{"k":"v"}', X'1000000041207365636F6E642073657373696F6E', 0, NULL);
INSERT INTO 'messages' VALUES (10, 'msg_0VbTAQ9SsPhcHQM3HEwlBZh0BU', 3, 9, 4, 1, 'assistant', 1795135215442, 'end_turn', 'scripted', 'run_0VbTAQ9SVfACONfzVjNZ0H4SAz', '{}', X'1000000041207365636F6E642073657373696F6E', 0, NULL);
INSERT INTO 'messages' VALUES (11, 'msg_0VbTAQ9XvW6ho0nGjEFWvj6Dgi', 4, NULL, 5, 0, 'user', 1795135215447, NULL, NULL, NULL, '{}', X'0500000068656C6C6F', 0, NULL);
INSERT INTO 'messages' VALUES (12, 'msg_0VbTAQ9XWE3sdkMBSOju6f3R1H', 4, 11, 5, 1, 'assistant', 1795135215447, 'end_turn', 'scripted', 'run_0VbTAQ9XEvIW4W0aye0ErtZkRm', '{}', X'0500000068656C6C6F', 0, NULL);
INSERT INTO 'messages' VALUES (13, 'msg_0VbTAQA2mgzthV7FkXRGlOIHf5', 5, NULL, 6, 0, 'user', 1795135215478, NULL, NULL, NULL, '{}', X'0D00000043616C6C65643A206669727374', 0, NULL);
INSERT INTO 'messages' VALUES (14, 'msg_0VbTAQA2gTs3jSHGumOF8dNixO', 5, 13, 6, 1, 'assistant', 1795135215478, 'end_turn', 'scripted', 'run_0VbTAQA2FMhpdX9zwHbYzTV9Kk', '{}', X'0D00000043616C6C65643A206669727374', 0, NULL);
INSERT INTO 'messages' VALUES (15, 'msg_0VbTAQA5gDKi3YQ470EejlPpTC', 6, NULL, 7, 0, 'user', 1795135215481, NULL, NULL, NULL, '{}', X'0D0000005768617420697320746869733F', 0, X'0100000031400000003136373739396636326236666165626439613662373465666431323965386537373265393264303137353331373539613966623634383533393462383863363909000000696D6167652F706E67');
INSERT INTO 'messages' VALUES (16, 'msg_0VbTAQA5y5AQ4pZnJLuidOKdH7', 6, 15, 7, 1, 'assistant', 1795135215481, 'end_turn', 'ok', 'run_0VbTAQA5BKZjBIYFL8o82rHrqs', '{}', X'140000004F6E652074776F20746872C3A96520666F75722E', 0, NULL);
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
INSERT INTO 'runs' VALUES (1, 'run_0VbTAQ9HuFw1909tQ60D16LDcp', 1, 1, 'msg_0VbTAQ9HRqgOrQNW0zswlR4aRz', 'scripted', 'completed', 1795135215431, 1795135215431, 1795135215433, 8, 8, 0, 0, 10, 1, '', '{}', '{"logit_bias":{},"stop":[]}', 4, 0, 1795135215433, 'req_0VbTAQ9Ha5FzH1wZmgOIU2kNGP', '', NULL, 0, 0, 0);
INSERT INTO 'runs' VALUES (2, 'run_0VbTAQ9L8aETuA07GOPRaKgX7W', 1, 3, 'msg_0VbTAQ9LSav5J8ZrzQL2m1Dhez', 'scripted', 'completed', 1795135215435, 1795135215435, 1795135215436, 17, 200, 0, 0, 202, 1, '', '{}', '{"logit_bias":{},"stop":[]}', 4, 0, 1795135215436, 'req_0VbTAQ9KbBpizm8ETIMcOsHbFR', '', NULL, 0, 0, 0);
INSERT INTO 'runs' VALUES (3, 'run_0VbTAQ9OJBRyeCXrJsSk7xPyhW', 1, 5, 'msg_0VbTAQ9ORrEwU2ucsyBroos4Ur', 'scripted', 'completed', 1795135215438, 1795135215438, 1795135215439, 18, 2, 0, 0, 4, 1, '', '{}', '{"logit_bias":{},"stop":[]}', 4, 0, 1795135215439, 'req_0VbTAQ9OGpMzdeWfaQ44B6076J', '', NULL, 0, 0, 0);
INSERT INTO 'runs' VALUES (4, 'run_0VbTAQ9QmLtDbDvVkzWf28M7L4', 2, 7, 'msg_0VbTAQ9Qg78R3PgcvAMqSYaXin', 'scripted', 'failed', 1795135215440, 1795135215440, 1795135215441, 2, 3, 0, 0, 5, 1, '{"code":"upstream_error","detail":"The scripted model failed, as the message requested"}', '{}', '{"logit_bias":{},"stop":[]}', 4, 0, 1795135215441, 'req_0VbTAQ9Q74QWToPzefsqSmWpms', '', NULL, 0, 0, 0);
INSERT INTO 'runs' VALUES (5, 'run_0VbTAQ9SVfACONfzVjNZ0H4SAz', 3, 9, 'msg_0VbTAQ9SsPhcHQM3HEwlBZh0BU', 'scripted', 'completed', 1795135215442, 1795135215442, 1795135215442, 3, 3, 0, 0, 5, 1, '', '{"k":"v"}', '{"logit_bias":{},"stop":[]}', 4, 0, 1795135215442, 'req_0VbTAQ9SA3b60nJ85o0SgXY0ep', '', NULL, 0, 0, 0);
INSERT INTO 'runs' VALUES (6, 'run_0VbTAQ9XEvIW4W0aye0ErtZkRm', 4, 11, 'msg_0VbTAQ9XWE3sdkMBSOju6f3R1H', 'scripted', 'completed', 1795135215447, 1795135215447, 1795135215449, 1, 1, 0, 0, 3, 1, '', '{}', '{"logit_bias":{},"stop":[],"timeout_s":300}', 4, 0, 1795135215449, '', 'aru_0VbTAQ9VVI0m8L3HTOn5PMO1XY', NULL, 0, 0, 0);
INSERT INTO 'runs' VALUES (7, 'run_0VbTAQA2FMhpdX9zwHbYzTV9Kk', 5, 13, 'msg_0VbTAQA2gTs3jSHGumOF8dNixO', 'scripted', 'completed', 1795135215478, 1795135215478, 1795135215479, 2, 2, 0, 0, 4, 1, '', '{}', '{"logit_bias":{},"stop":[],"timeout_s":300}', 4, 0, 1795135215479, '', 'aru_0VbTAQA1wZxbvcVUHrakgFroAu', NULL, 0, 0, 0);
INSERT INTO 'runs' VALUES (8, 'run_0VbTAQA5BKZjBIYFL8o82rHrqs', 6, 15, 'msg_0VbTAQA5y5AQ4pZnJLuidOKdH7', 'ok', 'completed', 1795135215481, 1795135215481, 1795135215482, 11, 5, 4, 0, 7, 1, '', '{}', '{"logit_bias":{},"stop":[]}', 4, 0, 1795135215482, 'req_0VbTAQA5nZZqPJWFhYF9l60WDd', '', NULL, 0, 0, 0);
CREATE TABLE frames (
        run          INTEGER NOT NULL REFERENCES runs (position) ON DELETE CASCADE,
        first_number INTEGER NOT NULL,
        bytes        BLOB NOT NULL,
        PRIMARY KEY (run, first_number)
    ) STRICT;
INSERT INTO 'frames' VALUES (1, 0, X'01B60E789CDD54DD6ED33014163F1A25F01095AFBBCAE9BA6ACD1DA29A98C69852557402A1C84D8EDA4062A7F671CB5AF58E67E009100FC5D360274D958AA276B01BB88AECF39D9FEF3B9FF3E4472D8EBCBAEBC00C387A75A9793394C010222762C8BCFA92E06D06C4239510691005530D3C8480EB740492786EC32288B72462F411423419E18461D35E36481C151502FA763478E1775FE9F3B9DBA55DF43BB4E7765EF7C2CC1645865A15481EF371DE47A958F0202F600E9B02531FD5A97F331BCE7AE77278E3F70606CD348A94A14DB0CD6C12D749D220A98820B115421967050333BF8620132AB6F812B86618304BA0455B9D63D73D6ED101A55E9B7AEE69B37DE2BE2B469587E04291660994C8A287562083D4106363F855B032B0162D55E30DE76BD0723E595C2D3A971717113F6BBFBCB342199366D11565A448EC76ED4CF9B81C4D9C78EF377B47F88C26927FBC475F1EAE3E1CAE520AC8AC8D0CCBD5CA1ED79C8BD64263A62BAA544220A5909BE555ABAC1CE7E8A8567BEED49C675F9FE6E6A55BEE2D05DFE9DF32B8D3C1F43E2DBCDDEA7F32F16F902716F92F5BFBDBE3FBB0F61D38F7A7E36BE9BF19D2859A27FD36EB2FFE86F37E39D77A30D3C06C9EE301A23CF89E8BA25064811146598F11E051805ADA47B1C392A567F7BF953F947AE76F6349626E6E03149F809BF77756E2AA372890259B0BB7634660E1C44CB09D4B577B7E403F01D04E51AB');
INSERT INTO 'frames' VALUES (2, 0, X'01C810789CED54DD6ED3301416620254249EA1F2755739A15D57DF552A6382C148A96835842237394A33123BF54FC75AE51D7812C42362374969A1681D1A5C207C13E59CEFFC7D3E9FEF7F7D1C87A4EED4600E4C91BAD0AC1908A00AC25A481525F52552D7192082365CA88124CC34B0007CA6D30908449C864520B2447C7209813211C194AAA63536501C16197CFC6E32EC79DDB363FA6CA87BB8F3FCFCCD80BE8CC69D914DAAA8D2B240B29845AB3A52C69CF9AB04E6A74A703AF3946C7BE3F968DE3F11A3B1D71F1A34D58AA754D9005BCC06319D240D94F210129B211071564C60FAD7E0675CC6165F01CB097D6A0770B17B74E838872E1E624C5A9838ED66EB69FBA26855EC830B789A2550218B1A5A82F05333188DE067C22A47495A2AA33569BD4EFB55CB1B4E664E777C99764FAED35B339451612EDAFF31F5E960169D0BEFF5082FE4553268D1C1C280054FECCDDB7E57A33065621179BFDE09059F94F1AC3E042DAFB808257131CE51FE617F2E5350D42E9BE122CFED6FC94CC116D72AD31BDC6DB840082ED657BC9925AFD50E1E94E7D11F3BB5BF711E7E7E62256AF8DB1269B5573B655A397709D524BA4BA96ED7FA97C4FA0BE49145FE97F07E12BE05336FE9BCFDE2F8422CBC333775FA5358DC1533BB492F99A1A680D90FA6F6A0E7DE97034B8A543CF30D31D26E220216FA4A0B2B9D1D8B5B6DF6CD8AFA4DAA773E8F4B143363F515FF08CCA8D4E954C0B5C95CB1198B2B9A7C3759584083A9E9623B1EE7373CB6DF00B7377141');
INSERT INTO 'frames' VALUES (3, 0, X'018B0F789CED54DD6ED33014BED85D415CF00495AFBB2A09196CB96BD95035898D948E1610B29CE4D08625766A1FB7EBAABE154FC21361374D69A168DDB42BC495E573BEF3F79DCF3EF8FE244D82BA5B8309700CEA52F3662C812124B584210BEA7382B3024840365CA441148C35F01828D7790492046EC32248302722FA06319A8878C4B0698D0D92266506EA7C887AADF0E4F2BCDD9DC1EB813C57EFAF5FDDBC9B8DFA362932D4AA44F2940F9775944A05A7CB04E65225E88C435447E160D29F9CBE91FD4178DA3368A651E40C6D802D6683B8CEB206C9450299CD10CBB4282730FD6BA08550A9C557C0D58494D9013CC77B79E8BA879ED3739CC07702F7A8E9BF38FE54B62AF7C1C5222F32A890650DAD40D2DC0CC686F027619563455AAE866BD25A9DAFA3B7D1C77121CEA66DEC7526D1BD192A98348BA6BFA7EE74C7C34B195EF49D5B35CDBA3EEBDE1AB01499DDBCED77390A47134B82CF6B4D20DCA0F12C8F80B4862CE58DBA999729208B2FFBB39903322B37C3C66261AF2B6E4ABE84C6426FB0B7E10229855C2F7933CBA2567BFAECE0C7732B6F7F4BDED546760ABC72EE92B8FF9812DFAEF42F89FC2FC8138BFC2FFD7DA57F0F6EBAF26C7AE5E958CDDA5208E55FC9C7E26637ED2B6E98296014C2F16104291405352429AB4B023CA1A8A57D483B645CE9FCEEF7F540DA777E3173927263A528AE819B37EB1E57C0B5C933030A64D92F83637A60F1C8B4B01DEC2CEEF8AD7E02A50B758E');
INSERT INTO 'frames' VALUES (4, 0, X'01D00F789CDD54DD6ED3301895006D505E22F20D375D97A4ED3A72D7314D033A41A12A6308458EE3B566899DDA5FDA4115890B1E85A7E269B09B1F32AD681DEC06AEA2F83BDFCF393EFEB67F3C64A167390D3AA71C3C4BA6BC4524C540C34688017BD612C1E784220FD542A889149DA59413EAF3340EA8449ED33408E42D91083E51023A834C31B4CC6113B130AFE0DBE360D41F3E1DC603380C0EE7E38B2FEFCEDDFD93DEA0638A028654E548CEF864D5472926B8BF2AA07FAA029D33F725198869EFD569FBE048BC38C01A8D5310310693609A99249E465113C522A491A940244B72067AFE94FA8950CCE04B60C1D0C786806BBB7B3B8EB3E3DA23DBF63AB6E7745B9D8E7D968F2A37C1111127112D91798F5451E9C79A189ED0EB82958142B4584D2ACEA33E7782F6F0B23F1BB3E367C7CFC9DEAD154AB0D4175D53468AC8DCAE9969352E071D47DE87EADE815E828EAC3EDEFD6FF7B28F9BAB1453C0C6469A659699DF8273DE5AA490A435556A212AA590D5E5D5AB648DC683ADADEDAF8F8C6FBB75DF9E6316ADB76D1E59E7DAEE5DBAB6D6E67F32ED6F908E41FECB56FEFEF82EAC7C0BCE93DEFE9BF6EB0999F74F666FDFE353C6FF86F3CD72167A60DD40DF3C870D44410BC75AB8D6A28D8C360A44E26B7D94B15AF126D7DAB2F4EDCD8FE50FE55EBB2A9688717DEA83B8A05C3F40B7C455276DCD4B008EAA03FDDE0926533DC0D5543BAB764E25CC6E224510D158EDA689023D77EC9712008395B4A329B556723C519676DD9C4AEBD71228D642D7D673859A0E8B8A8C52B83CB5C8685A585960EAE506B2A4D9552AD79768A071F6D539B2EBABF127640283D0');
INSERT INTO 'frames' VALUES (5, 0, X'01F70E789CED54DB6ED3401095E85B9010E20BAC7D4E2327712CE1B7A44244081AAAB60105216B6D4F62B7F6AED99D6DC1517E854FE9B77537BE2811164D0B4F8827CB33676E67CEECD1CFE749E459FD0EDC0043CF128AF542011421EA4414A967AD09FEC8817864C745BA44C237052C049FA92C0041BC7ED72088B7263CB8821075441853EC196397245199C1B7E7C1C5F8ECF5F97C393E999D2E8BF9D5E9C29E3AE7E3C224458A4A964896B0D5B68E940967FE3681FE6912CC3EE33009C420C83E9D5C16EFDDD0D568AA9067144D80296682984AD32EC97804A9C9108A242F27D0FD2BF0732E1383AF81D5843E35030CEC817BDCEF1F0FEC0BDBF61CDBEB8F7A8E335894AD8A437021CFF2146A64594349107EA607A32BF895B0DA519196C95533F3A488D15DBD8BDD59B00C79E2146F1FCD504E855EF40E3382A766BBA6A76DBB0CB59F785F9ABD237C47EDD97E3C32B6246850645565C9E6EBE1A46580D4A8CA0C7DADA13764B331D68A89B221AE30573B5CEDB840082E9A95B624DB743ACF5EBC3CBA7B65443DDA1375BD875659D7CE36618FFEA6B0F72BFD4BD2FE1DF2BFE0DB05FF0826E4C7389C9E7D184EDFDCA693456C4F2EFF84898749AE58A2BA80D603C327532591E7BEA64B1A211260918F4A98CB69D16D2DEC870FEA090B30CCB7BE2D6B92306DF5915F03D3473AAC71BB16E448D3C6E0EA0E6818EB06F643EDCD618FD43D412968D8');
INSERT INTO 'frames' VALUES (6, 0, X'01F00E789CED55CB6EDA40145D644777FD02346B82C6406833BB46250F898894224C5355D660DF80C19E7167EEA04488BFE93ADF98191B2350A9086D77EDCA9A7BCF7D9C33C7F6C98F3771C4AA5E05162090559511F5500147882A1147CEAA4B824F191046B652A446347C372042088449C7A008F36A0E41D892C8F10C42B415E19463DD056B248E8A0E011D8E071F3E9D8F3A8B1BBFE553FE04B4A3F07EDE4F5D53E468748114B198E473B48EA508F206F6B06970E177AFA6DDECF261D411DDAEE83FF62D9A1B94294757E086E5455C99B26838BCA1E9FB6EF37AD0136777B73D6FF4C516A53282C4750F559C15EC2C3703412675EC7A11264C92D4C89A7DC01DB9066DB44F3DEFB4410794B21665DE59BDD57A775FD050AFC18532CD122891C50CA34105A925CD27F0B39865622D68AA271B3D167E7B2AA9B89A752EFDC5ACFD71121FAD5EC69535410E2E9651327137EF76CAD71568F3847DDD7802E1116D267F303285249164F5EDF54AA580DCD9CC325DADDC71CDBB182F0D66664B99AD1428255579D8E9B2AA542A27CF6F9DAB9B3BAE2EC5DEEBEB32B9CFD9CDBFE9ECDD49FF8AB77F813C77C8FF8E3F92B7DF69EA687E7BF1B93733ED8766DFBBFE13DE87255D6BC2ED007BFB028F1346A3CC022B8E765E2320A2008D12FBADB9F1F5C1F7E937E5DEFB45599258D86880720E42E77FB202B71D41893CD9041A76031E4EED02BBA57475E0D3F402EF9E673F');
INSERT INTO 'frames' VALUES (7, 0, X'01890F789CED545D6FDA30147DE81B9BF6B05F80FC4C51C2E8287E439B80696A513B16759DA6C824B72125B133FB9A3210FFAABFA3BF69764250D09868BBBD6D4F91EF3DF7E39C1CFBE8FE451CD2BA5B833970A475A9793390C010C25AC890D1FA8AE08F0C08259514691005DF35F0007CAED3094842DD864510BA2262720B019A8A60CAB069830D12874507DFF126E3DE45AFD53F9B66E1557779379C7C598EBDEEC7996D8A0CB52A903CE6513E47A958703F6F600EDB06F3A4B3E4736FF0FEF2EC1C071EF36283661A45CAD016D861791193BA2C72EFAE179379E07D1E4A368BFA52F4B4294A450889ED1EC8382BD8196E1AFC4CA8D8F62294EB2469900D7B9F59722DA7F5F6D8758F5BCED87168DBA1EE49B3DD39BD2E68C8C7E00291660994C862865620FDD4906611FC2A6699D8089AAA68AB471A2D71EA75FAB3ABCB4132FA30BC3979B27A1993C60439B858468AC4FE79BB53BE2E479327F4EBD613080B3499FC43C93B962460DC74134B8564FDEDF18AA580CCDACD305EAFED71C3BF584368CC7445A14A0AA414B23CEC7459D76AAF5E1E3DBCB6F66EEFD8BB547DAFC1CBE43E8BB7FFA6C57727FD2B26FF0DB26B91FFAD5FB5FE13F84763F5E6F6D370A0D351FF343C8F17A33FE17F58DA8D36CC0C302EE0F83C81148ACC372229EB3D023CF4514BBEDFAA5B9F1FBC5FCF947DEF13B3223137511FC50CB8B9B3AD12578DA040966C03E689085830350BEC963AEB036FD54F39EB742D');
INSERT INTO 'frames' VALUES (8, 0, X'01F111789CED54DB6ED3401095A8845054F1C6BBB5CF6962BBBEBFA0948B0AAD281515A845C85ADB936483BDEBEE25F4A2FC06FFC00FF003FC18BB711C1251D496F254F160593B73766676CE9CD9F8FA981489E574600A54261657B49773C0128A4E81254EAC4B24CF6B40095A71A12E1270AA80E690525565C051E2740D022597886513C8A5BE918FB1EC19631791A28990DAEFB3A3C1E1C0DFD93B99ECBC3A7EB91FB1C8E5BBFC5498A0124B251A24257434CF230461349D07D0876580C1C5D99BC9BB69490F4EABE945AE26B54663255985A5B96092994B5495651755AC805247609F354A57AE20AD992006D942166F4BB129DDB5DD60CB71B65CFBC8B613CF4E1CBFE745CE495324BF092E67555D428B6C7228013CADF493F0087E6F55EB58B4AB12A3E56B47CFF7C8F6F1A117DA2F6052BEAD8F9EDDBA3735E69AE2959E70561A5E4D4DF372A9D47E947C5C322EE14C6ACFFC97A00FBA448B084B8E89788A66DD258C544DD1151404A7ABC67EDD7038C6AE1F68A31384611C0F03370B8618B222C641167A302C1C378608C2D085D82D6C27F4B7F517E37898055EE46FC75E16457910EB588A1B1AFB53A78F6BD2376DEBCF5389FE9D83CF3EDD7C082A90D8E84393389B99E382D2A6B34CC95AAD90BEE202CE195F4EE56A9459A7F3F0D1E683CD8DEF4F8C24C33549B6B374A5285BE755B20CFFA52CD733DD0F61FE01E91AE47FB9DE73B9DE82D2737F70E8D527F4F5BE22C5C15EB11BDE85D2EBA7654137D609F460537913CE0F2858F20BD39CF31FDFC01A32C57BF33E09C9EA54F74A185521A0452A15370B604D7EAD32AFDF087FD9F72BF7E22522545B53C93E03D55BC6715AE0D2E4EB173289CB5F9840D780F3B12E61FDB237BB66C5FE049024D6F8');
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
INSERT INTO 'event_heads' VALUES (4, 1, 32, 1795135215429);
INSERT INTO 'event_heads' VALUES (6, 1, 1, 1795135215524);
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
INSERT INTO 'events' VALUES (4, 1, 'evt_0VbTAQ9FclUZUjd6MCk3n1BIzq', 1795135215429, 8, 'tok_0VbTAQ9FW5Uj76a9BAHzHMGRzk', '', 'req_0VbTAQ9F8fxgJrMIOwxoacyLy0', '', '', 0);
INSERT INTO 'events' VALUES (4, 2, 'evt_0VbTAQ9H5TVYzjnMtRvOdrsLWW', 1795135215431, 0, 'ses_0VbTAQ9HqQts5QXvWvDFrWXQDT', '', 'req_0VbTAQ9Ha5FzH1wZmgOIU2kNGP', '', '', 0);
INSERT INTO 'events' VALUES (4, 3, 'evt_0VbTAQ9HinAZUr3z7thM0tnTp3', 1795135215431, 3, 'run_0VbTAQ9HuFw1909tQ60D16LDcp', 'ses_0VbTAQ9HqQts5QXvWvDFrWXQDT', 'req_0VbTAQ9Ha5FzH1wZmgOIU2kNGP', '', '', 0);
INSERT INTO 'events' VALUES (4, 4, 'evt_0VbTAQ9JfNsuXROKEHwj8WLfUj', 1795135215433, 4, 'run_0VbTAQ9HuFw1909tQ60D16LDcp', 'ses_0VbTAQ9HqQts5QXvWvDFrWXQDT', 'req_0VbTAQ9Ha5FzH1wZmgOIU2kNGP', '', '', 0);
INSERT INTO 'events' VALUES (4, 5, 'evt_0VbTAQ9L81e8dCYOCmTfPVYiPa', 1795135215435, 3, 'run_0VbTAQ9L8aETuA07GOPRaKgX7W', 'ses_0VbTAQ9HqQts5QXvWvDFrWXQDT', 'req_0VbTAQ9KbBpizm8ETIMcOsHbFR', '', '', 0);
INSERT INTO 'events' VALUES (4, 6, 'evt_0VbTAQ9M9Yd6e1BZJccnApTqIs', 1795135215436, 4, 'run_0VbTAQ9L8aETuA07GOPRaKgX7W', 'ses_0VbTAQ9HqQts5QXvWvDFrWXQDT', 'req_0VbTAQ9KbBpizm8ETIMcOsHbFR', '', '', 0);
INSERT INTO 'events' VALUES (4, 7, 'evt_0VbTAQ9OS8DSwY5dlxbz4l096y', 1795135215438, 3, 'run_0VbTAQ9OJBRyeCXrJsSk7xPyhW', 'ses_0VbTAQ9HqQts5QXvWvDFrWXQDT', 'req_0VbTAQ9OGpMzdeWfaQ44B6076J', '', '', 0);
INSERT INTO 'events' VALUES (4, 8, 'evt_0VbTAQ9POhkHw8I38g1mc0DHCF', 1795135215439, 4, 'run_0VbTAQ9OJBRyeCXrJsSk7xPyhW', 'ses_0VbTAQ9HqQts5QXvWvDFrWXQDT', 'req_0VbTAQ9OGpMzdeWfaQ44B6076J', '', '', 0);
INSERT INTO 'events' VALUES (4, 9, 'evt_0VbTAQ9Q4yJObTJ3JIKo6xbnqP', 1795135215440, 0, 'ses_0VbTAQ9Q4Z2KcLoh7OX3BFoJBa', '', 'req_0VbTAQ9Q74QWToPzefsqSmWpms', '', '', 0);
INSERT INTO 'events' VALUES (4, 10, 'evt_0VbTAQ9QmuE5OKAroxLZgTFhIT', 1795135215440, 3, 'run_0VbTAQ9QmLtDbDvVkzWf28M7L4', 'ses_0VbTAQ9Q4Z2KcLoh7OX3BFoJBa', 'req_0VbTAQ9Q74QWToPzefsqSmWpms', '', '', 0);
INSERT INTO 'events' VALUES (4, 11, 'evt_0VbTAQ9RgWO6hxtLdXCAkqAVXZ', 1795135215441, 5, 'run_0VbTAQ9QmLtDbDvVkzWf28M7L4', 'ses_0VbTAQ9Q4Z2KcLoh7OX3BFoJBa', 'req_0VbTAQ9Q74QWToPzefsqSmWpms', '', '', 0);
INSERT INTO 'events' VALUES (4, 12, 'evt_0VbTAQ9SH8mcSwJUqy007asMU5', 1795135215442, 0, 'ses_0VbTAQ9SOXt3ibr2bmWCUzL6c6', '', 'req_0VbTAQ9SA3b60nJ85o0SgXY0ep', '', '', 0);
INSERT INTO 'events' VALUES (4, 13, 'evt_0VbTAQ9S6qERjtkZmWtAphdgjG', 1795135215442, 3, 'run_0VbTAQ9SVfACONfzVjNZ0H4SAz', 'ses_0VbTAQ9SOXt3ibr2bmWCUzL6c6', 'req_0VbTAQ9SA3b60nJ85o0SgXY0ep', '', '', 0);
INSERT INTO 'events' VALUES (4, 14, 'evt_0VbTAQ9SN0p3v4IXYp1ugBI2Tc', 1795135215442, 4, 'run_0VbTAQ9SVfACONfzVjNZ0H4SAz', 'ses_0VbTAQ9SOXt3ibr2bmWCUzL6c6', 'req_0VbTAQ9SA3b60nJ85o0SgXY0ep', '', '', 0);
INSERT INTO 'events' VALUES (4, 15, 'evt_0VbTAQ9TOQPOvdJsSOMkBsXtLg', 1795135215443, 1, 'ses_0VbTAQ9SOXt3ibr2bmWCUzL6c6', '', 'req_0VbTAQ9TRBrWAqZFdxnwL9IyH0', '', '', 0);
INSERT INTO 'events' VALUES (4, 16, 'evt_0VbTAQ9TZMz1p77o3LvxTr0FhZ', 1795135215443, 12, 'aut_0VbTAQ9TnlZNTj3d5sYSGXHKWy', '', 'req_0VbTAQ9TEszYa0yPOfe4EqrQ7N', '', '', 0);
INSERT INTO 'events' VALUES (4, 17, 'evt_0VbTAQ9VAjrPjyKfkjMWiIhwLX', 1795135215445, 17, 'aru_0VbTAQ9VVI0m8L3HTOn5PMO1XY', 'aut_0VbTAQ9TnlZNTj3d5sYSGXHKWy', 'req_0VbTAQ9VTAZnYLRk6g66EIUsNc', '', '', 1);
INSERT INTO 'events' VALUES (4, 18, 'evt_0VbTAQ9XH0W3YmKSDJ5BEFi0TF', 1795135215447, 0, 'ses_0VbTAQ9XBWLGhLpFfXEnLLnRxR', '', '', 'aut_0VbTAQ9TnlZNTj3d5sYSGXHKWy', 'aru_0VbTAQ9VVI0m8L3HTOn5PMO1XY', 1);
INSERT INTO 'events' VALUES (4, 19, 'evt_0VbTAQ9XDmsroBkd8TReq7lmWC', 1795135215447, 3, 'run_0VbTAQ9XEvIW4W0aye0ErtZkRm', 'ses_0VbTAQ9XBWLGhLpFfXEnLLnRxR', '', 'aut_0VbTAQ9TnlZNTj3d5sYSGXHKWy', 'aru_0VbTAQ9VVI0m8L3HTOn5PMO1XY', 1);
INSERT INTO 'events' VALUES (4, 20, 'evt_0VbTAQ9ZYVdFEmrByC2FYq0xZB', 1795135215449, 4, 'run_0VbTAQ9XEvIW4W0aye0ErtZkRm', 'ses_0VbTAQ9XBWLGhLpFfXEnLLnRxR', '', 'aut_0VbTAQ9TnlZNTj3d5sYSGXHKWy', 'aru_0VbTAQ9VVI0m8L3HTOn5PMO1XY', 1);
INSERT INTO 'events' VALUES (4, 21, 'evt_0VbTAQ9ZOdJWaiYsiYDaSHTnWR', 1795135215449, 18, 'aru_0VbTAQ9VVI0m8L3HTOn5PMO1XY', 'aut_0VbTAQ9TnlZNTj3d5sYSGXHKWy', '', 'aut_0VbTAQ9TnlZNTj3d5sYSGXHKWy', 'aru_0VbTAQ9VVI0m8L3HTOn5PMO1XY', 1);
INSERT INTO 'events' VALUES (4, 22, 'evt_0VbTAQ9ufoN9HCS0CaHgo95ysG', 1795135215470, 23, 'whk_0VbTAQ9ukRcdkwGn5zZ0XqrZ5k', '', 'req_0VbTAQ9t6kaLxoZ8PsTzUiXGva', '', '', 0);
INSERT INTO 'events' VALUES (4, 23, 'evt_0VbTAQ9wgfqbs1QSv4sEUBuRt5', 1795135215472, 25, 'whk_0VbTAQ9ukRcdkwGn5zZ0XqrZ5k', '', 'req_0VbTAQ9w6l7aSUHlGwpcJbpkNt', '', '', 0);
INSERT INTO 'events' VALUES (4, 24, 'evt_0VbTAQ9xz6raTBta6dQLR4Nbi2', 1795135215473, 12, 'aut_0VbTAQ9xaKxyRdhuIhTTv23xu6', '', 'req_0VbTAQ9x7DOFrLo9E7OVAjkxg5', '', '', 0);
INSERT INTO 'events' VALUES (4, 25, 'evt_0VbTAQA1Lv8elAlqf8CsguLKFW', 1795135215477, 17, 'aru_0VbTAQA1wZxbvcVUHrakgFroAu', 'aut_0VbTAQ9xaKxyRdhuIhTTv23xu6', 'req_0VbTAQ9ygYzbjJGWbOSnHtePWh', '', '', 1);
INSERT INTO 'events' VALUES (4, 26, 'evt_0VbTAQA2OhTQp16BRffX5mkg67', 1795135215478, 0, 'ses_0VbTAQA2vl7znvVGDRMNtGVaVi', '', '', 'aut_0VbTAQ9xaKxyRdhuIhTTv23xu6', 'aru_0VbTAQA1wZxbvcVUHrakgFroAu', 1);
INSERT INTO 'events' VALUES (4, 27, 'evt_0VbTAQA2hXlD0244NYs97CTolR', 1795135215478, 3, 'run_0VbTAQA2FMhpdX9zwHbYzTV9Kk', 'ses_0VbTAQA2vl7znvVGDRMNtGVaVi', '', 'aut_0VbTAQ9xaKxyRdhuIhTTv23xu6', 'aru_0VbTAQA1wZxbvcVUHrakgFroAu', 1);
INSERT INTO 'events' VALUES (4, 28, 'evt_0VbTAQA3pmU7wekalCokE9AclC', 1795135215479, 4, 'run_0VbTAQA2FMhpdX9zwHbYzTV9Kk', 'ses_0VbTAQA2vl7znvVGDRMNtGVaVi', '', 'aut_0VbTAQ9xaKxyRdhuIhTTv23xu6', 'aru_0VbTAQA1wZxbvcVUHrakgFroAu', 1);
INSERT INTO 'events' VALUES (4, 29, 'evt_0VbTAQA3QaEk8kjWA8NHZsiaBR', 1795135215479, 18, 'aru_0VbTAQA1wZxbvcVUHrakgFroAu', 'aut_0VbTAQ9xaKxyRdhuIhTTv23xu6', '', 'aut_0VbTAQ9xaKxyRdhuIhTTv23xu6', 'aru_0VbTAQA1wZxbvcVUHrakgFroAu', 1);
INSERT INTO 'events' VALUES (4, 30, 'evt_0VbTAQA5oR9M9tjE28QWkxdGoY', 1795135215481, 0, 'ses_0VbTAQA5AzxNjSvlnOqmvzcujp', '', 'req_0VbTAQA5nZZqPJWFhYF9l60WDd', '', '', 0);
INSERT INTO 'events' VALUES (4, 31, 'evt_0VbTAQA5K8EqvuiQcVd0vezaIg', 1795135215481, 3, 'run_0VbTAQA5BKZjBIYFL8o82rHrqs', 'ses_0VbTAQA5AzxNjSvlnOqmvzcujp', 'req_0VbTAQA5nZZqPJWFhYF9l60WDd', '', '', 0);
INSERT INTO 'events' VALUES (4, 32, 'evt_0VbTAQA6uLlLI2Ljm1sbBJW1YL', 1795135215482, 4, 'run_0VbTAQA5BKZjBIYFL8o82rHrqs', 'ses_0VbTAQA5AzxNjSvlnOqmvzcujp', 'req_0VbTAQA5nZZqPJWFhYF9l60WDd', '', '', 0);
INSERT INTO 'events' VALUES (6, 1, 'evt_0VbTAQAmOk8g94A4O1lqCWX24T', 1795135215524, 10, 'tok_0VbTAQAms8nvQemNGkqD1uT2S9', '', 'req_0VbTAQAUG1jcWn2wRnOOypkg8S', '', '', 0);
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
INSERT INTO 'automations' VALUES (1, 'aut_0VbTAQ9TnlZNTj3d5sYSGXHKWy', 'usr_0VbTAQ9CLXFx9lZwEl6Oaxh3RO', 0, 'daily', 'daily', 'queue', 10, NULL, 'active', NULL, NULL, 1795135215443, NULL, 0, 15, 1795135215443, 1795135215443, 1, 0, 0);
INSERT INTO 'automations' VALUES (2, 'aut_0VbTAQ9xaKxyRdhuIhTTv23xu6', 'usr_0VbTAQ9CLXFx9lZwEl6Oaxh3RO', 0, 'hooked', 'hooked', 'queue', 10, NULL, 'active', NULL, NULL, 1795135215473, NULL, 0, 23, 1795135215473, 1795135215473, 1, 0, 0);
CREATE TABLE automation_definitions (
            automation INTEGER NOT NULL REFERENCES automations (position) ON DELETE CASCADE,
            revision   INTEGER NOT NULL,
            definition TEXT NOT NULL,
            PRIMARY KEY (automation, revision)
        ) STRICT, WITHOUT ROWID;
INSERT INTO 'automation_definitions' VALUES (1, 1, '{"name":"daily","message":"hello","variables":[],"instructions":null,"model":null,"max_output_tokens":null,"temperature":null,"top_p":null,"seed":null,"stop":null,"response_format":null,"session":{"policy":"new","keep":30,"session_id":null},"trigger":null,"overlap":null,"catch_up":"latest","catch_up_window_s":86400,"retry":{"max_attempts":3,"backoff_s":30},"timeout_s":300,"pause_after_failures":10,"output_tokens_per_day":null,"paused":false,"metadata":{}}');
INSERT INTO 'automation_definitions' VALUES (2, 1, '{"name":"hooked","message":"Called: {{run.key}}","variables":[],"instructions":null,"model":null,"max_output_tokens":null,"temperature":null,"top_p":null,"seed":null,"stop":null,"response_format":null,"session":{"policy":"new","keep":30,"session_id":null},"trigger":{"type":"hook","verify":"token","dedupe_pointer":null},"overlap":null,"catch_up":"latest","catch_up_window_s":86400,"retry":{"max_attempts":3,"backoff_s":30},"timeout_s":300,"pause_after_failures":10,"output_tokens_per_day":null,"paused":false,"metadata":{}}');
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
INSERT INTO 'automation_runs' VALUES (1, 'aru_0VbTAQ9VVI0m8L3HTOn5PMO1XY', 1, 4, 1, 'manual', 'key_0VbTAQ9VFr6lKFY1YTzPvzsFT6', 1795135215445, 'completed', NULL, NULL, '{"variables":{},"local_date":"2026-11-20","local_time":"00:40"}', 1, 3, 30, NULL, 'ses_0VbTAQ9XBWLGhLpFfXEnLLnRxR', 'msg_0VbTAQ9XvW6ho0nGjEFWvj6Dgi', '', NULL, 1, 1795135215445, 1795135215447, 1795135215449, 'tok_0VbTAQ9FW5Uj76a9BAHzHMGRzk', NULL);
INSERT INTO 'automation_runs' VALUES (2, 'aru_0VbTAQA1wZxbvcVUHrakgFroAu', 2, 4, 1, 'hook', 'first', 1795135215477, 'completed', NULL, NULL, '{"variables":{},"local_date":"2026-11-20","local_time":"00:40"}', 1, 3, 30, NULL, 'ses_0VbTAQA2vl7znvVGDRMNtGVaVi', 'msg_0VbTAQA2mgzthV7FkXRGlOIHf5', '', NULL, 1, 1795135215477, 1795135215478, 1795135215479, NULL, NULL);
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
INSERT INTO 'attempts' VALUES (1, 1, 1, 'run_0VbTAQ9XEvIW4W0aye0ErtZkRm', 'completed', '', 1795135215447, 1795135215449, 0, 1, 1, 0, NULL);
INSERT INTO 'attempts' VALUES (2, 1, 2, 'run_0VbTAQA2FMhpdX9zwHbYzTV9Kk', 'completed', '', 1795135215478, 1795135215479, 0, 2, 2, 0, NULL);
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
INSERT INTO 'webhooks' VALUES (1, 'whk_0VbTAQ9ukRcdkwGn5zZ0XqrZ5k', 'usr_0VbTAQ9CLXFx9lZwEl6Oaxh3RO', 0, 'https://example.com/hear', 'automation.*', 110, 'thin', 0, '', '{}', 'disabled', 'user', X'6F9471CAFFAC1406249A267B52036C8E985844982F233379D812AA585B9F47E127F601E8274D6124D43030EB3C50B803365F6CD7035A2D06E1254C920EBC68A93C0D939F33E263AC7BFA71692D34A89F705BB5E2E73C890B776A', 'whsec_…WzY=', NULL, NULL, 1795135215470, 1795135215472, 2, 22, NULL, NULL, NULL, NULL);
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
INSERT INTO 'hooks' VALUES ('hok_0VbTAQ9xi766ShEIdA4ATfLzv7', 2, 'token', X'8CD7CA91A971D7B3ED4D16BB0FD1D5CFCA80EC3E68C6848F46B0814734D6C2A4', 'plh_…UFVB', NULL, NULL, 1795135215473, NULL);
CREATE TABLE search_docs (
        doc     INTEGER PRIMARY KEY,
        message INTEGER NOT NULL UNIQUE REFERENCES messages (position) ON DELETE CASCADE,
        owner   INTEGER NOT NULL,
        bucket  INTEGER NOT NULL
    ) STRICT;
CREATE TABLE search_buckets (
        owner     INTEGER NOT NULL,
        bucket    INTEGER NOT NULL,
        docs      INTEGER NOT NULL,
        first_doc INTEGER NOT NULL,
        last_doc  INTEGER NOT NULL,
        PRIMARY KEY (owner, bucket)
    ) STRICT, WITHOUT ROWID;
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
INSERT INTO 'search_words_data' VALUES (1, X'');
INSERT INTO 'search_words_data' VALUES (10, X'00000000000000');
CREATE TABLE 'search_words_idx'(segid, term, pgno, PRIMARY KEY(segid, term)) WITHOUT ROWID;
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
INSERT INTO 'images' VALUES (1, 'usr_0VbTAQ9CLXFx9lZwEl6Oaxh3RO', 0, '167799f62b6faebd9a6b74efd129e8e772e92d017531759a9fb6485394b88c69', 'image/png', X'89504E470D0A1A0A6F6620616E206561726C6965722076657273696F6E');
CREATE TABLE message_images (
        message INTEGER NOT NULL REFERENCES messages (position) ON DELETE CASCADE,
        image   INTEGER NOT NULL REFERENCES images (position) ON DELETE CASCADE,
        session INTEGER NOT NULL,
        PRIMARY KEY (message, image)
    ) STRICT, WITHOUT ROWID;
INSERT INTO 'message_images' VALUES (15, 1, 6);
CREATE TABLE recovery_codes (
        user TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        code BLOB NOT NULL,
        PRIMARY KEY (user, code)
    ) STRICT, WITHOUT ROWID;
INSERT INTO 'recovery_codes' VALUES ('usr_0VbTAQATJD6Eh7Wb5eJm4ZaLh2', X'047EEBF0DFC3C464960D89B464CA36C9A5FCAC8D6C0E842EE4AF2CD285F4643B');
INSERT INTO 'recovery_codes' VALUES ('usr_0VbTAQATJD6Eh7Wb5eJm4ZaLh2', X'0730054CED488B2C217CA52AB3A20E704D9451C702C64CCBECD0328D26A1BCE0');
INSERT INTO 'recovery_codes' VALUES ('usr_0VbTAQATJD6Eh7Wb5eJm4ZaLh2', X'33C7515051E4969FA384E9F672DCABF0BD1949DBC32461B5402EC62C2228AFEB');
INSERT INTO 'recovery_codes' VALUES ('usr_0VbTAQATJD6Eh7Wb5eJm4ZaLh2', X'73DF468746B60A5674993A816534B903F725F640EA2F28B7880E3E886390F3D9');
INSERT INTO 'recovery_codes' VALUES ('usr_0VbTAQATJD6Eh7Wb5eJm4ZaLh2', X'78B882DA977B85F79339D10AE4E37B7B2F076EB3589D622B48F8ECFF59CE8825');
INSERT INTO 'recovery_codes' VALUES ('usr_0VbTAQATJD6Eh7Wb5eJm4ZaLh2', X'8AC5717326DF0AAC265A79B8580CF9F8B95EF297EF33274B75C6C6343B51A9F1');
INSERT INTO 'recovery_codes' VALUES ('usr_0VbTAQATJD6Eh7Wb5eJm4ZaLh2', X'9F801D98CA2DEFED295C2214781A89BF01847F72B455FEAF2BCFA321177C1B37');
INSERT INTO 'recovery_codes' VALUES ('usr_0VbTAQATJD6Eh7Wb5eJm4ZaLh2', X'D077BEDB49913AEC4433740759FFD88BBFDBC366CE15D81793EC82541D508E6E');
INSERT INTO 'recovery_codes' VALUES ('usr_0VbTAQATJD6Eh7Wb5eJm4ZaLh2', X'F2AECE779025875A6E9B5F6567212025291BB33838F8581E0BC0F8111ABA08CF');
INSERT INTO 'recovery_codes' VALUES ('usr_0VbTAQATJD6Eh7Wb5eJm4ZaLh2', X'F5B14ED56E818DE8E4544BC7481E5B4AA4C3ED0BC9597EA111A372B649956322');
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
INSERT INTO 'token_usage' VALUES (1, 'usr_0VbTAQ9CLXFx9lZwEl6Oaxh3RO', 0, 20777, 'scripted', 7, 51, 219, 0);
INSERT INTO 'token_usage' VALUES (8, 'usr_0VbTAQ9CLXFx9lZwEl6Oaxh3RO', 0, 20777, 'ok', 1, 11, 5, 4);
CREATE TABLE token_reservations (
        id         TEXT NOT NULL PRIMARY KEY,
        user       TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        tokens     INTEGER NOT NULL,
        expires_ms INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
CREATE TABLE identities (
        issuer     TEXT NOT NULL,
        subject    TEXT NOT NULL,
        user       TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        created_ms INTEGER NOT NULL,
        PRIMARY KEY (issuer, subject)
    ) STRICT, WITHOUT ROWID;
CREATE TABLE used_attempts (
        attempt    BLOB NOT NULL PRIMARY KEY,
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
CREATE INDEX identities_of_user ON identities (user);
CREATE INDEX used_attempts_by_expiry ON used_attempts (expires_ms);
CREATE INDEX removed_sessions ON sessions (position) WHERE removed = 1;
PRAGMA writable_schema = OFF;
COMMIT;
