// The compiled part of Boost.Asio's TLS: see BOOST_ASIO_SEPARATE_COMPILATION in cmake/.
#include <boost/asio/ssl/impl/src.hpp>
